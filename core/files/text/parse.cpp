// Text to JSON: the one place where the JSON library may throw.
#include "core/files/text/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace plimsoll::files {
namespace {

constexpr int deepest = 64;  // what reads the JSON recurses, and no plan needs ten

// "line 3, column 5" of a byte offset.
std::string place(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto start = before.rfind('\n') + 1;  // npos + 1 is 0
    return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
}

// Offset of the bracket that opens one level too many, or npos.
std::size_t too_deep(std::string_view text) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\') ++i;
        else if (c == '"') quoted = !quoted;
        else if (!quoted && (c == '{' || c == '[') && ++depth > deepest) return i;
        else if (!quoted && (c == '}' || c == ']')) --depth;
    }
    return std::string_view::npos;
}

// The library's sentence without its own code, place and echo of the input.
std::string reason(std::string_view what) {
    for (const std::string_view lead : {"] ", "column "})
        if (const auto at = what.find(lead); at != what.npos) what.remove_prefix(at + lead.size());
    if (const auto colon = what.find(": "); colon != what.npos && colon < 20) what.remove_prefix(colon + 2);
    std::string text(what);
    const auto echo = text.find("; last read: "), expected = text.rfind("; expected ");
    if (echo != text.npos) {
        const bool follows = expected != text.npos && expected > echo;
        text.erase(echo, follows ? expected - echo : text.npos);
    }
    return text.substr(0, 200);
}

// "number overflow parsing '1e999'" comes without a place: look for the number.
std::string overflow(std::string_view text, std::string_view what) {
    const auto open = what.find('\''), close = what.rfind('\'');
    if (open == what.npos || close <= open) return "a number is too large";
    const auto number = what.substr(open + 1, close - open - 1);
    return place(text, text.find(number)) + ": number " + std::string(number.substr(0, 40)) + " is too large";
}

}  // namespace

std::optional<Json> parse(std::string_view text, Findings& findings) {
    if (const auto at = too_deep(text); at != text.npos) {
        findings.error("", place(text, at) + ": nested deeper than " + std::to_string(deepest) + " levels");
        return std::nullopt;
    }
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& e) {  // its byte counts from one and is past the offending character
        findings.error("", place(text, e.byte > 0 ? e.byte - 1 : 0) + ": not JSON: " + reason(e.what()));
    } catch (const Json::exception& e) {
        findings.error("", overflow(text, e.what()));
    }
    return std::nullopt;
}

}  // namespace plimsoll::files
