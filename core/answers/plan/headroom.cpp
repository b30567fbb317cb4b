#include "core/answers/plan/headroom.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/shown_units.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <charconv>

namespace plimsoll {

Room room_of(const Estimate& e, const Headroom& asked) {
    if (!e.fits()) return Room::none;
    return e.worst().total() > asked.limit(e.memory_limit) ? Room::tight : Room::enough;
}

Bytes shown_by_monitor(const MemoryUse& m, int devices) {
    return m.total() - m.context + (devices > 1 ? outside_with_several_devices : outside_with_one_device);
}

double share_of_device(const Estimate& e) { return shown_by_monitor(e.worst(), e.devices) / e.memory_limit; }

FitVerdict fit_verdict(double share) {
    if (share <= surely_fits) return FitVerdict::fits;
    return share <= surely_fails ? FitVerdict::may_not_fit : FitVerdict::does_not_fit;
}

FitVerdict fit_verdict(const Estimate& e) {
    return e.host.fits() && e.nvme.fits() ? fit_verdict(share_of_device(e)) : FitVerdict::does_not_fit;
}

std::string_view id_of(FitVerdict verdict) {
    switch (verdict) {
        case FitVerdict::fits: return "fits";
        case FitVerdict::may_not_fit: return "may_not_fit";
        case FitVerdict::does_not_fit: break;
    }
    return "does_not_fit";
}

std::string_view id_of(Room room) {
    switch (room) {
        case Room::enough: return "fits";
        case Room::tight: return "tight";
        case Room::none: break;
    }
    return "short";
}

namespace {

std::string in_shown_memory(Bytes b) { return fixed(b / shown_memory().size, 1); }

}  // namespace

std::string say_fit_verdict(const Estimate& e) {
    const std::string share = percent(share_of_device(e), 0);
    if (!e.host.fits() || !e.nvme.fits()) return phrase("It does not fit below the devices.");
    switch (fit_verdict(e)) {
        case FitVerdict::fits:
            return phrase("It fits: {1} of a device, what lives outside the allocator included.", share);
        case FitVerdict::may_not_fit:
            return phrase("It may not fit: {1} of a device, what lives outside the allocator included. Between {2} and "
                          "{3} predictions miss too often to tell.",
                          share, percent(surely_fits, 0), percent(surely_fails, 0));
        case FitVerdict::does_not_fit: break;
    }
    return phrase("It does not fit: {1} of a device, what lives outside the allocator included.", share);
}

std::string say_tight(const Estimate& e, const Headroom& asked) {
    if (room_of(e, asked) != Room::tight) return {};
    const Bytes need = e.worst().total(), most = asked.likely * need;
    std::string why;
    if (need > (1 - asked.share) * e.memory_limit)
        why = phrase("{1} of the memory is used, and {2} headroom is asked for", percent(need / e.memory_limit),
                     percent(asked.share, 0));
    if (most > e.memory_limit)
        why += (why.empty() ? "" : "; ")
             + phrase("the likely range ends at {1} of {2} {3}", in_shown_memory(most), in_shown_memory(e.memory_limit),
                      shown_memory().name);
    return why;
}

Expected<double, std::string> parse_headroom(std::string_view text) {
    std::string_view number = trimmed(text);
    const bool percents = number.ends_with('%');
    if (percents) number = trimmed(number.substr(0, number.size() - 1));
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    const bool whole = error == std::errc() && end == number.data() + number.size();
    if (percents) value /= 100;
    if (!whole || !(value >= 0 && value <= most_headroom))
        return Unexpected{"a headroom is a share of the device memory from 0 to " + percent(most_headroom, 0)
                          + ", as 5% or 0.05; found '" + std::string(text) + "'"};
    return value;
}

}  // namespace plimsoll
