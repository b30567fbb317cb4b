#pragma once
// NCCL as far as the back end calls it, between processes of one computer: a
// communicator is a file that its ranks map. Opening and destroying wait for the other
// ranks, as NCCL's do; verbs are work on a stream, a message is over when it is taken,
// and two ranks on one device are refused.
//
// PLIMSOLL_STAND_IN_FAILURE="KIND:RANK:VERB" lets a rank of mpirun's fail, in the verb
// of that number where it is one:
//   init_fails     opening its first communicator is refused
//   init_hangs     opening its first communicator never returns
//   dies           the process is killed
//   remote_error   the verb is never over, and the communicator says that a peer is gone
// PLIMSOLL_STAND_IN_FOLDER: where the files are; /dev/shm where it is not set.

#include "stand_in_streams.h"

#include <cstddef>

enum ncclResult_t {
    ncclSuccess,
    ncclSystemError,
    ncclInvalidArgument,
    ncclInvalidUsage,
    ncclRemoteError,
    ncclInProgress
};
enum ncclDataType_t { ncclFloat64, ncclFloat32, ncclBfloat16, ncclUint8 };
enum ncclRedOp_t { ncclSum, ncclMax };
struct ncclUniqueId { char internal[128]; };
struct StandInCommunicator;
using ncclComm_t = StandInCommunicator*;
using StandInStream = stand_in::Stream*;

const char* ncclGetErrorString(ncclResult_t);
const char* ncclGetLastError(ncclComm_t);
ncclResult_t ncclGetUniqueId(ncclUniqueId*);
ncclResult_t ncclCommInitRank(ncclComm_t*, int size, ncclUniqueId, int rank);
ncclResult_t ncclCommDestroy(ncclComm_t);
ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t*);
ncclResult_t ncclAllReduce(const void*, void*, std::size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, StandInStream);
ncclResult_t ncclReduceScatter(const void*, void*, std::size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, StandInStream);
ncclResult_t ncclAllGather(const void*, void*, std::size_t, ncclDataType_t, ncclComm_t, StandInStream);
ncclResult_t ncclBroadcast(const void*, void*, std::size_t, ncclDataType_t, int root, ncclComm_t, StandInStream);
ncclResult_t ncclSend(const void*, std::size_t, ncclDataType_t, int to, ncclComm_t, StandInStream);
ncclResult_t ncclRecv(void*, std::size_t, ncclDataType_t, int from, ncclComm_t, StandInStream);

namespace stand_in {

// What the environment makes of this process's devices: how many it sees, which is the first of them.
//
// PLIMSOLL_STAND_IN_DEVICES: how many a node has; 1. PLIMSOLL_STAND_IN_BOUND: a task sees one alone, the one of its
// number on the node. PLIMSOLL_STAND_IN_COMPUTE: "70" for compute capability 7.0; 9.0. PLIMSOLL_STAND_IN_MEMORY: bytes.
struct Devices {
    int count = 1, first = 0, major = 9, minor = 0;
    std::size_t memory = std::size_t(1) << 30;
};
const Devices& devices();
void use_device(int number);
void take_memory(std::ptrdiff_t bytes);  // of the device in use
std::size_t free_memory();

}  // namespace stand_in
