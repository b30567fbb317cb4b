#include "engine/power/sources/counter.h"

namespace plimsoll::engine::power {

Expected<double, std::string> Counter::take(std::uint64_t raw, double now_s) {
    const std::uint64_t last = last_;
    const double gap_s = now_s - at_s_;
    const bool first = !begun_;
    begun_ = true;
    last_ = raw;
    at_s_ = now_s;
    if (first) return joules_;
    if (raw >= last) {
        // All of the range in one gap: at the most that can be drawn the counter may have come round.
        if (kind_.range && double(kind_.range) * kind_.joules_per_count < gap_s * kind_.most_W)
            return Unexpected<std::string>{"was not looked at for so long that it may have wrapped unseen"};
        return joules_ += double(raw - last) * kind_.joules_per_count;
    }
    if (!kind_.range) return Unexpected<std::string>{"the counter went back, as after a restart of its driver"};
    if (last > kind_.range) return Unexpected<std::string>{"the counter was above the range it claims"};
    const double wrapped = double(kind_.range - last + raw) * kind_.joules_per_count;
    if (wrapped > gap_s * kind_.most_W)
        return Unexpected<std::string>{"the counter went back further than a wrap explains: it was restarted"};
    return joules_ += wrapped;
}

Expected<Reading, std::string> Counter::read(const Expected<std::uint64_t, std::string>& raw, double now_s) {
    if (!raw) {
        restart();
        return Unexpected{raw.error()};
    }
    const auto joules = take(*raw, now_s);
    if (!joules) return Unexpected{joules.error()};
    return Reading{*joules, now_s};
}

}  // namespace plimsoll::engine::power
