#include "engine/report/line.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace plimsoll::engine {

using Json = nlohmann::ordered_json;

namespace {

// Empty, or why the value itself or a number in the list was made null.
std::string make_finite(Json& value);

void make_members_finite(Json& object) {
    Json reasons = Json::object();
    for (auto& [key, value] : object.items())
        if (const std::string reason = make_finite(value); !reason.empty()) reasons[key + "_reason"] = reason;
    object.update(reasons);
}

std::string make_finite(Json& value) {
    std::string reason;
    if (value.is_object()) make_members_finite(value);
    else if (value.is_array()) {
        for (Json& item : value)
            if (const std::string why = make_finite(item); !why.empty()) reason = why;
    } else if (value.is_number_float() && !std::isfinite(value.get<double>())) {
        reason = std::isnan(value.get<double>()) ? "nan" : value.get<double>() > 0 ? "inf" : "-inf";
        value = nullptr;
    }
    return reason;
}

std::string text_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Halves the member that takes the most room; false when none can be.
bool shorten(Json& object) {
    Json::iterator widest = object.end();
    std::size_t width = 0;
    for (auto member = object.begin(); member != object.end(); ++member) {
        if (!(member->is_array() && !member->empty()) && !(member->is_string() && text_of(*member).size() > 64)) continue;
        if (const std::size_t size = text_of(*member).size(); size > width) width = size, widest = member;
    }
    if (widest == object.end()) return false;
    const std::string key = widest.key();
    Json was = widest->is_array() ? Json(widest->size()) : Json(widest->get_ref<const std::string&>().size());
    if (widest->is_array()) widest->erase(widest->begin() + std::ptrdiff_t(widest->size() / 2), widest->end());
    else *widest = widest->get<std::string>().substr(0, widest->get_ref<const std::string&>().size() / 2);
    if (Json& lost = object["truncated"]; !lost.contains(key)) lost[key] = was;
    return true;
}

}  // namespace

std::string line_of(Json object, std::size_t longest) {
    make_members_finite(object);
    std::string line = text_of(object);
    while (line.size() + 1 > longest && shorten(object)) line = text_of(object);
    return line.append("\n");
}

}  // namespace plimsoll::engine
