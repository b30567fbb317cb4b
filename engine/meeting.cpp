#include "engine/meeting.h"

#include <chrono>
#include <thread>

namespace plimsoll::engine {

int meet(const MpiComm& world, Watchdog& dog, int fate) {
    int worst = fate;
    MPI_Request request;
    MPI_Iallreduce(&fate, &worst, 1, MPI_INT, MPI_MAX, world.handle(), &request);
    for (int arrived = 0; !arrived; MPI_Test(&request, &arrived, MPI_STATUS_IGNORE)) {
        dog.changed(Pass::data, Phase::launch);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return worst;
}

std::string shared(const MpiComm& world, std::string text) {
    unsigned long long length = text.size();
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, world.handle());
    text.resize(std::size_t(length));
    MPI_Bcast(text.data(), int(length), MPI_BYTE, 0, world.handle());
    return text;
}

}  // namespace plimsoll::engine
