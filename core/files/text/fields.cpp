#include "core/files/text/fields.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace plimsoll::files {
namespace {

// A JSON pointer that names something inside `root`; "" is the root itself.
bool resolves(const Json& root, std::string_view pointer) {
    if (!pointer.empty() && pointer[0] != '/') return false;
    try {
        return root.contains(Json::json_pointer(std::string(pointer)));
    } catch (const Json::exception&) {  // "~2", or a list index that is no number
        return false;
    }
}

double rounded(double v, int digits) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, v, std::chars_format::general, digits).ptr;
    double out = v;
    std::from_chars(text, end, out);
    return out;
}

}  // namespace

double shortest_that(double v, bool (*same)(double, const void*), const void* context) {
    for (int digits = 1; digits <= 17; ++digits)
        if (const double d = rounded(v, digits); same(d, context)) return d;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double up = v, down = v;  // the quotient may be a few last places off
    for (int i = 0; i < 4; ++i) {
        up = std::nextafter(up, infinity);
        down = std::nextafter(down, -infinity);
        if (same(up, context)) return up;
        if (same(down, context)) return down;
    }
    return v;
}

OrderedJson number_json(double v) {
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (v == std::floor(v) && std::abs(v) < exact) return static_cast<long long>(v);
    return v;
}

std::optional<Sources> SourceMap::read(const Reader& at) const {
    if (!at.object()) return std::nullopt;
    constexpr auto rows = std::tuple{choice("kind", &Source::kind).needed(), text("text", &Source::text)};
    Sources sources;
    for (const auto& key : at.keys())
        if (const auto value = at.member(key)) read_fields(rows, *value, sources[key]);
    return sources;
}

OrderedJson SourceMap::write(const Sources& sources) const {
    if (sources.empty()) return {};
    OrderedJson object = OrderedJson::object();
    for (const auto& [pointer, source] : sources)
        object[pointer] = {{"kind", name_of(source.kind)}, {"text", source.text}};
    return object;
}

void warn_of_idle_sources(const Reader& root, const Sources& sources) {
    for (const auto& [pointer, source] : sources)
        if (!resolves(root.json(), pointer))
            if (const auto at = root.member("sources"))
                at->warning(pointer, "no value of this file has this pointer");
}

}  // namespace plimsoll::files
