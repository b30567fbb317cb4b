#include "engine/comm/mpi.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <utility>

namespace plimsoll::engine {
namespace {

// Past the last-level cache a whole gradient moves more slowly than pieces of it (2.0 against 2.7 GB/s
// for 64 MiB between two ranks of one node).
constexpr std::size_t piece_bytes = std::size_t(4) << 20;

void add_bf16(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* a = static_cast<const bf16*>(in);
    auto* b = static_cast<bf16*>(inout);
    for (int i = 0; i < *count; ++i) b[i] = narrowed(widened(a[i]) + widened(b[i]));
}
void max_bf16(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* a = static_cast<const bf16*>(in);
    auto* b = static_cast<bf16*>(inout);
    for (int i = 0; i < *count; ++i) if (widened(a[i]) > widened(b[i])) b[i] = a[i];
}

MPI_Datatype datatype(Type type) {
    switch (type) {
    case Type::f64: return MPI_DOUBLE;
    case Type::f32: return MPI_FLOAT;
    case Type::bf16: return MPI_UINT16_T;
    case Type::byte: break;
    }
    return MPI_BYTE;
}
MPI_Op operation(Type type, Reduction reduction) {
    if (type != Type::bf16) return reduction == Reduction::max ? MPI_MAX : MPI_SUM;
    static MPI_Op sum = MPI_OP_NULL, max = MPI_OP_NULL;
    if (sum == MPI_OP_NULL) {
        MPI_Op_create(add_bf16, 1, &sum);
        MPI_Op_create(max_bf16, 1, &max);
    }
    return reduction == Reduction::max ? max : sum;
}

// Elements of one call at most: what an int counts. Tests set less.
std::size_t most_of_a_call() {
    static const std::size_t most = [] {
        const char* less = std::getenv("PLIMSOLL_MPI_MOST_ELEMENTS");
        const long long given = less ? std::atoll(less) : 0;
        return given > 0 && given < INT_MAX ? std::size_t(given) : std::size_t(INT_MAX);
    }();
    return most;
}

// f(offset in elements, count) for pieces that an int can count.
template <class F> void in_pieces(std::size_t count, std::size_t most, F f) {
    const std::size_t piece = std::min(std::max<std::size_t>(most, 1), most_of_a_call());
    for (std::size_t at = 0; at < count; at += piece) f(at, int(std::min(piece, count - at)));
}
template <class F> void in_pieces(std::size_t count, F f) { in_pieces(count, most_of_a_call(), f); }

// `count` elements as one of a type of their own: a gather lays the shares of all ranks side by side, so a share cannot
// be cut.
class Share {
public:
    Share(std::size_t count, Type type) : type_(datatype(type)), count_(int(count)) {
        if (count <= most_of_a_call()) return;
        const std::size_t most = most_of_a_call(), pieces = count / most, rest = count % most;
        MPI_Datatype piece, parts[2];
        MPI_Type_contiguous(int(most), datatype(type), &piece);
        MPI_Type_contiguous(int(pieces), piece, &parts[0]);
        MPI_Type_contiguous(int(rest), datatype(type), &parts[1]);
        const int lengths[2] = {1, 1};
        const MPI_Aint offsets[2] = {0, MPI_Aint(pieces * most * size_of(type))};
        MPI_Type_create_struct(rest > 0 ? 2 : 1, lengths, offsets, parts, &type_);
        MPI_Type_commit(&type_);
        for (MPI_Datatype* used : {&piece, &parts[0], &parts[1]}) MPI_Type_free(used);
        own_ = true;
        count_ = 1;
    }
    ~Share() {
        if (own_) MPI_Type_free(&type_);  // what is under way keeps it
    }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    MPI_Datatype type() const { return type_; }
    int count() const { return count_; }

private:
    MPI_Datatype type_;
    int count_;
    bool own_ = false;
};

char* at(void* p, std::size_t element, Type type) { return static_cast<char*>(p) + element * size_of(type); }
const char* at(const void* p, std::size_t element, Type type) {
    return static_cast<const char*>(p) + element * size_of(type);
}

}  // namespace

MpiComm::MpiComm(MPI_Comm comm, bool owned) : comm_(comm), owned_(owned) {
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
}
MpiComm::~MpiComm() {
    if (owned_) MPI_Comm_free(&comm_);
}
std::unique_ptr<MpiComm> MpiComm::split(int colour, int key) const {
    MPI_Comm part;
    MPI_Comm_split(comm_, colour < 0 ? MPI_UNDEFINED : colour, key, &part);
    return part == MPI_COMM_NULL ? nullptr : std::make_unique<MpiComm>(part, true);
}

void MpiComm::all_reduce(void* data, std::size_t count, Type type, Reduction reduction) {
    in_pieces(count, piece_bytes / size_of(type), [&](std::size_t i, int n) {
        MPI_Allreduce(MPI_IN_PLACE, at(data, i, type), n, datatype(type), operation(type, reduction), comm_);
    });
}
void MpiComm::reduce_scatter(const void* from, void* to, std::size_t count, Type type) {
    if (count <= most_of_a_call()) {
        MPI_Reduce_scatter_block(from, to, int(count), datatype(type), operation(type, Reduction::sum), comm_);
        return;
    }
    Request request = start(Collective::reduce_scatter, from, to, count, type);
    wait(request);
}
void MpiComm::all_gather(const void* from, void* to, std::size_t count, Type type) {
    const bool in_place = from == at(to, std::size_t(rank_) * count, type);
    const Share share(count, type);
    MPI_Allgather(in_place ? MPI_IN_PLACE : from, share.count(), share.type(), to, share.count(), share.type(), comm_);
}
void MpiComm::broadcast(void* data, std::size_t count, Type type, int root) {
    in_pieces(count, [&](std::size_t i, int n) { MPI_Bcast(at(data, i, type), n, datatype(type), root, comm_); });
}
Request MpiComm::send(const void* data, std::size_t count, Type type, int to, int tag) {
    Requests pieces;
    in_pieces(count, [&](std::size_t i, int n) {
        MPI_Isend(at(data, i, type), n, datatype(type), to, tag, comm_, &pieces.emplace_back());
    });
    return keep(std::move(pieces), false);
}
Request MpiComm::receive(void* data, std::size_t count, Type type, int from, int tag) {
    Requests pieces;
    in_pieces(count, [&](std::size_t i, int n) {
        MPI_Irecv(at(data, i, type), n, datatype(type), from, tag, comm_, &pieces.emplace_back());
    });
    return keep(std::move(pieces), true);
}
// Pieces of all ranks' parts do not lie side by side, so each is summed for its rank alone.
auto MpiComm::start_reduce_scatter(const void* from, void* to, std::size_t count, Type type) -> Requests {
    const MPI_Op sum = operation(type, Reduction::sum);
    Requests pieces;
    if (count <= most_of_a_call()) {
        MPI_Ireduce_scatter_block(from, to, int(count), datatype(type), sum, comm_, &pieces.emplace_back());
        return pieces;
    }
    for (int rank = 0; rank < size_; ++rank)
        in_pieces(count, [&](std::size_t i, int n) {
            MPI_Ireduce(at(from, std::size_t(rank) * count + i, type), rank == rank_ ? at(to, i, type) : nullptr, n,
                        datatype(type), sum, rank, comm_, &pieces.emplace_back());
        });
    return pieces;
}
Request MpiComm::start(Collective collective, const void* from, void* to, std::size_t count, Type type) {
    Requests pieces;
    switch (collective) {
    case Collective::all_reduce:
        in_pieces(count, [&](std::size_t i, int n) {
            MPI_Iallreduce(MPI_IN_PLACE, at(to, i, type), n, datatype(type), operation(type, Reduction::sum), comm_,
                           &pieces.emplace_back());
        });
        break;
    case Collective::reduce_scatter: pieces = start_reduce_scatter(from, to, count, type); break;
    case Collective::all_gather: {
        const bool in_place = from == at(to, std::size_t(rank_) * count, type);
        const Share share(count, type);
        MPI_Iallgather(in_place ? MPI_IN_PLACE : from, share.count(), share.type(), to, share.count(), share.type(),
                       comm_, &pieces.emplace_back());
        break;
    }
    }
    return keep(std::move(pieces), false);
}
Request MpiComm::keep(Requests pieces, bool receiving) {
    if (pieces.empty()) return {};
    auto slot = std::find_if(requests_.begin(), requests_.end(), [](const Requests& r) { return r.empty(); });
    if (slot == requests_.end()) slot = requests_.insert(slot, Requests{});
    *slot = std::move(pieces);
    return {std::uintptr_t(slot - requests_.begin()) + 1, receiving};
}
void MpiComm::wait(Request& request) {
    if (request.handle) {
        Requests& pieces = requests_[request.handle - 1];
        MPI_Waitall(int(pieces.size()), pieces.data(), MPI_STATUSES_IGNORE);
        pieces.clear();
    }
    request.handle = 0;
}
bool MpiComm::test(Request& request) {
    if (!request.handle) return true;
    Requests& pieces = requests_[request.handle - 1];
    int done = 0;
    MPI_Testall(int(pieces.size()), pieces.data(), &done, MPI_STATUSES_IGNORE);
    if (!done) return false;
    pieces.clear();
    request.handle = 0;
    return true;
}
void MpiComm::barrier() { MPI_Barrier(comm_); }

}  // namespace plimsoll::engine
