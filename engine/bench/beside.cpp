#include "engine/bench/beside.h"

#include "engine/report/statistics.h"

namespace plimsoll::engine {

double Beside::median(std::size_t which, std::size_t n, Comm& ranks) const {
    const auto& all = seconds_[which];
    std::vector<double> last(n);
    std::copy_n(all.end() - std::ptrdiff_t(n), n, last.begin());
    ranks.all_reduce(last.data(), n, Type::f64, Reduction::max);
    return engine::median(std::move(last));
}

}  // namespace plimsoll::engine
