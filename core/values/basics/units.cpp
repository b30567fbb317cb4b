#include "core/values/basics/units.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace plimsoll {

namespace {

struct Entry {
    std::string name;
    NamedUnit unit;
};

struct Prefix {
    const char* name;
    double factor;
};

constexpr Prefix decimal[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18}};
constexpr Prefix binary[] = {{"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}};

void add_bytes(std::vector<Entry>& t, const Prefix& p) {
    const std::string bytes = std::string(p.name) + "B";
    t.push_back({bytes, {'B', p.factor}});
    t.push_back({bytes + "/s", {'R', p.factor}});
    t.push_back({bytes + "ps", {'R', p.factor}});
}

void add_rates(std::vector<Entry>& t, const Prefix& p) {
    for (const char* flops : {"FLOP/s", "FLOPS", "FLOPs", "F/s"})
        t.push_back({std::string(p.name) + flops, {'F', p.factor}});
    for (const char* bits : {"bit/s", "bps", "b/s"}) t.push_back({std::string(p.name) + bits, {'R', p.factor / 8}});
}

// Bytes stand before bits, so that the search without case finds them first.
std::vector<Entry> build() {
    std::vector<Entry> t = {
        {"s", {'s', 1}},    {"ms", {'s', 1e-3}}, {"us", {'s', 1e-6}}, {"\u00b5s", {'s', 1e-6}}, {"ns", {'s', 1e-9}},
        {"min", {'s', 60}}, {"h", {'s', 3600}},  {"d", {'s', 86400}}, {"days", {'s', 86400}},   {"hours", {'s', 3600}},
        {"W", {'W', 1}},    {"kW", {'W', 1e3}},  {"MW", {'W', 1e6}},
    };
    for (const Prefix& p : decimal) add_bytes(t, p);
    for (const Prefix& p : binary) add_bytes(t, p);
    for (const Prefix& p : decimal) add_rates(t, p);
    return t;
}

bool same_letters(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
        return std::tolower(x) == std::tolower(y);
    });
}

template <class Same>
std::optional<NamedUnit> find_in(const std::vector<Entry>& table, std::string_view name, Same same) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const Entry& e) { return same(e.name, name); });
    if (found == table.end()) return std::nullopt;
    return found->unit;
}

}  // namespace

std::optional<NamedUnit> find_unit(std::string_view name) {
    static const std::vector<Entry> table = build();
    if (const auto exact = find_in(table, name, std::equal_to<std::string_view>{})) return exact;
    return find_in(table, name, same_letters);
}

}  // namespace plimsoll
