#include "core/answers/plan/headroom.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/shown_units.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <charconv>

namespace plimsoll {

namespace {

Bytes outside_the_allocator(int devices) {
    return devices > 1 ? outside_with_several_devices : outside_with_one_device;
}

}  // namespace

Room room_of(const Estimate& e, const Headroom& asked) {
    if (!e.fits()) return Room::none;
    return is_tight(e.worst().total(), e.memory_limit, share_of_device(e), asked) ? Room::tight : Room::enough;
}

bool is_tight(Bytes predicted, Bytes memory, double share_of_device, const Headroom& asked) {
    return predicted > asked.limit(memory) || fit_verdict(share_of_device) == FitVerdict::does_not_fit;
}

Headroom surely(const Scenario& s, const Headroom& asked) {
    const Bytes memory = s.machine.device.memory;
    const Bytes most = surely_fits * memory + s.stack.memory.context - outside_the_allocator(s.layout.devices);
    return {std::max(asked.share, 1 - most / memory), asked.likely};
}

Bytes shown_by_monitor(const MemoryUse& m, int devices) {
    return m.total() - m.context + outside_the_allocator(devices);
}

double share_of_device(Bytes predicted, Bytes context, int devices, Bytes memory) {
    return (predicted - context + outside_the_allocator(devices)) / memory;
}

double share_of_device(const Estimate& e) {
    return share_of_device(e.worst().total(), e.worst().context, e.devices, e.memory_limit);
}

FitVerdict fit_verdict(double share) {
    if (share <= surely_fits) return FitVerdict::fits;
    return share <= surely_fails ? FitVerdict::may_not_fit : FitVerdict::does_not_fit;
}

FitVerdict fit_verdict(const Estimate& e) {
    return e.host.fits() && e.nvme.fits() ? fit_verdict(share_of_device(e)) : FitVerdict::does_not_fit;
}

bool may_run(const Estimate& e) { return e.fits() && fit_verdict(e) != FitVerdict::does_not_fit; }
bool may_run(const Outcome& o) { return o.has_value() && may_run(*o); }

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
        case Room::enough: return "enough";
        case Room::tight: return "tight";
        case Room::none: break;
    }
    return "short";
}

namespace {

std::string in_shown_memory(Bytes b) { return fixed(b / shown_memory().size, 1); }

}  // namespace

std::string say(FitVerdict verdict) {
    switch (verdict) {
        case FitVerdict::fits: return phrase("fits");
        case FitVerdict::may_not_fit: return phrase("may not fit");
        case FitVerdict::does_not_fit: break;
    }
    return phrase("does not fit");
}

std::string say_fit(double share) {
    const std::string said = percent(share, 0);
    switch (fit_verdict(share)) {
        case FitVerdict::fits: return phrase("fits, {1}", said);
        case FitVerdict::may_not_fit: return phrase("may not fit, {1}", said);
        case FitVerdict::does_not_fit: break;
    }
    return phrase("does not fit, {1}", said);
}

std::string say_fit(const Estimate& e) {
    return e.host.fits() && e.nvme.fits() ? say_fit(share_of_device(e)) : say(FitVerdict::does_not_fit);
}

std::string with_doubt(const std::string& said, FitVerdict verdict) {
    return verdict == FitVerdict::fits ? said : said + ", " + say(verdict);
}

std::string say_ranked_by_fit() {
    return phrase("All that is predicted to take at most the memory is ranked, what leaves too little headroom last. "
                  "Above {1} of a device, what lives outside the allocator included, it may not fit, and above {2} it "
                  "does not.",
                  percent(surely_fits, 0), percent(surely_fails, 0));
}

std::string say_share(const Estimate& e) {
    return phrase("{1} of a device, what lives outside the allocator included", percent(share_of_device(e), 0));
}

std::string say_unsure() {
    return phrase("Between {1} and {2} predictions miss too often to tell.", percent(surely_fits, 0),
                  percent(surely_fails, 0));
}

std::string say_times_assume() { return phrase("The times assume that it fits."); }

std::string say_fit_verdict(const Estimate& e) {
    if (!e.host.fits() || !e.nvme.fits()) return phrase("It does not fit below the devices.");
    const std::string share = say_share(e);
    const FitVerdict verdict = fit_verdict(e);
    std::string said = verdict == FitVerdict::fits          ? phrase("It fits: {1}.", share)
                     : verdict == FitVerdict::may_not_fit ? phrase("It may not fit: {1}.", share) + ' ' + say_unsure()
                                                          : phrase("It does not fit: {1}.", share);
    if (!e.fits() || verdict == FitVerdict::does_not_fit) said += ' ' + say_times_assume();
    return said;
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
    return why.empty() ? say_share(e) : why;
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
