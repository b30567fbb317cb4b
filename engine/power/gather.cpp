#include "engine/power/gather.h"

namespace plimsoll::engine::power {

std::vector<std::string> gathered(const MpiComm& ranks, const std::string& mine) {
    const int length = int(mine.size());
    std::vector<int> lengths(std::size_t(ranks.size())), offsets(lengths.size());
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, ranks.handle());
    std::size_t all = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) offsets[i] = int(all), all += std::size_t(lengths[i]);
    std::string text(all, ' ');
    MPI_Gatherv(mine.data(), length, MPI_CHAR, text.data(), lengths.data(), offsets.data(), MPI_CHAR, 0, ranks.handle());
    std::vector<std::string> found;
    if (ranks.rank() == 0)
        for (std::size_t i = 0; i < lengths.size(); ++i)
            if (lengths[i] > 0) found.push_back(text.substr(std::size_t(offsets[i]), std::size_t(lengths[i])));
    return found;
}

}  // namespace plimsoll::engine::power
