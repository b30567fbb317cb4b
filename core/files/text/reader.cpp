#include "core/files/text/reader.h"

#include "core/values/basics/foreign_text.h"
#include "core/values/basics/other_names.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace plimsoll {

std::string say(const Problem& p) {
    std::string text;
    for (const std::string& where : {p.file, p.pointer})
        if (!where.empty()) text += where + ": ";
    return text + (p.severity == Severity::warning ? phrase("warning: {1}", p.message) : p.message);
}

std::string say(const Problems& problems) {
    std::string text;
    for (const Problem& p : problems) text += say(p) + '\n';
    return text;
}

bool has_errors(const Problems& problems) {
    return std::any_of(problems.begin(), problems.end(),
                       [](const Problem& p) { return p.severity == Severity::error; });
}

}  // namespace plimsoll

namespace plimsoll::files {

namespace {

constexpr std::size_t most_problems = 100;

// What stands in the file, for a message.
std::string found(const Json& json) {
    if (json.is_string()) return in_quotes(json.get_ref<const std::string&>());
    if (json.is_object()) return phrase("an object");
    if (json.is_array()) return phrase("a list");
    return json.dump();
}

// Escaped as RFC 6901 asks, and cut where a hostile key would fill the screen.
std::string pointer_step(std::string_view key) {
    std::string step = "/";
    for (const char c : key.substr(0, 80))
        step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return step;
}

}  // namespace

Findings::Findings(std::string file, Conflicts conflicts) : file_(std::move(file)), conflicts_(conflicts) {}

// Errors past the limit still count, so that the file stays refused.
void Findings::add(Severity severity, const std::string& pointer, const std::string& message) {
    std::size_t& count = severity == Severity::error ? errors_ : warnings_;
    if (++count < most_problems) problems_.push_back({severity, file_, pointer, message});
    else if (count == most_problems)
        problems_.push_back({severity, file_, "", phrase("more problems like these follow")});
}

bool Findings::full(Severity severity) const {
    return (severity == Severity::error ? errors_ : warnings_) >= most_problems;
}

void Findings::error(const std::string& pointer, const std::string& message) { add(Severity::error, pointer, message); }

void Findings::warning(const std::string& pointer, const std::string& message) {
    add(Severity::warning, pointer, message);
}

void Findings::conflict(const std::string& pointer, const std::string& message) {
    add(strict() ? Severity::error : Severity::warning, pointer, message);
}

std::string a_number(NumberRange r) {
    if (r.low == smallest) return phrase("a number above 0, at most {1}", shortest(r.high));
    return phrase("a number of at least {1}, at most {2}", shortest(r.low), shortest(r.high));
}

std::string a_whole_number(NumberRange r) {
    return phrase("a whole number from {1} to {2}", fixed(r.low, 0), fixed(r.high, 0));
}

std::string one_of(std::span<const std::string_view> names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) text += (i ? ", " : "") + in_quotes(names[i]);
    return phrase("one of {1}", text);
}

std::string Reader::pointer_of(std::string_view key) const { return pointer_ + pointer_step(key); }

void Reader::unexpected(const std::string& expected) const {
    error(phrase("found {1}, expected {2}", found(*json_), expected));
}

std::optional<double> Reader::number(NumberRange range) const {
    if (json_->is_number()) {
        double v = json_->get<double>();
        if (std::abs(v) < 1e-30) v = 0;  // would vanish in a product of units
        if (v >= range.low && v <= range.high) return v;
    }
    unexpected(a_number(range));
    return std::nullopt;
}

std::optional<int> Reader::whole(NumberRange range) const {
    if (json_->is_number()) {
        const double v = json_->get<double>();
        if (v >= range.low && v <= range.high && v == std::floor(v)) return static_cast<int>(v);
    }
    unexpected(a_whole_number(range));
    return std::nullopt;
}

std::optional<std::string> Reader::text() const {
    if (json_->is_string()) return json_->get<std::string>();
    unexpected(phrase("a text"));
    return std::nullopt;
}

std::optional<std::string> Reader::line(std::size_t most) const {
    if (json_->is_string()) {
        const auto& found = json_->get_ref<const std::string&>();
        if (is_line(found) && characters(found) <= most) return found;
    }
    unexpected(phrase("a text on one line without control characters, of at most {1} characters", most));
    return std::nullopt;
}

std::optional<std::string> Reader::prose(std::size_t most) const {
    if (json_->is_string()) {
        const auto& found = json_->get_ref<const std::string&>();
        if (plimsoll::is_text(found) && characters(found) <= most) return found;
    }
    unexpected(phrase("a text without control characters, of at most {1} characters", most));
    return std::nullopt;
}

std::optional<bool> Reader::flag() const {
    if (json_->is_boolean()) return json_->get<bool>();
    unexpected(phrase("true or false"));
    return std::nullopt;
}

std::optional<int> Reader::choice(std::span<const std::string_view> names) const {
    if (!is_text()) return unexpected(one_of(names)), std::nullopt;
    const auto& word = json_->get_ref<const std::string&>();
    if (const auto meant = choice_of(word, names)) return static_cast<int>(*meant);
    error(phrase("found {1}, expected {2}", found(*json_), one_of(names)) + did_you_mean(word, names));
    return std::nullopt;
}

bool Reader::object() const {
    if (!json_->is_object()) unexpected(phrase("an object"));
    return json_->is_object();
}

bool Reader::array(std::size_t most) const {
    const bool good = json_->is_array() && json_->size() <= most;
    if (!good) unexpected(phrase("a list of at most {1}", most));
    return good;
}

bool Reader::is_text() const { return json_->is_string(); }

std::optional<Reader> Reader::member(std::string_view key) const {
    if (!json_->is_object()) return std::nullopt;
    const auto at = json_->find(std::string(key));
    if (at == json_->end() || at->is_null()) return std::nullopt;
    return Reader(*at, pointer_of(key), *findings_);
}

std::vector<Reader> Reader::elements() const {
    std::vector<Reader> all;
    for (std::size_t i = 0; i < json_->size(); ++i)
        all.emplace_back((*json_)[i], pointer_of(std::to_string(i)), *findings_);
    return all;
}

std::vector<std::string> Reader::keys() const {
    std::vector<std::string> all;
    for (const auto& [key, value] : json_->items()) all.push_back(key);
    return all;
}

void Reader::warn_of_keys_beyond(std::span<const std::string_view> known) const {
    for (const auto& [key, value] : json_->items())
        if (!findings_->full(Severity::warning) && std::find(known.begin(), known.end(), key) == known.end())
            warning(key, phrase("unknown key, ignored") + did_you_mean(key, known));
}

void Reader::missing(std::string_view key, const std::string& expected) const {
    error(key, phrase("missing, expected {1}", expected));
}

void Reader::error(std::string_view key, const std::string& message) const {
    findings_->error(pointer_of(key), message);
}

void Reader::warning(std::string_view key, const std::string& message) const {
    findings_->warning(pointer_of(key), message);
}

void Reader::conflict(std::string_view path, const std::string& message) const {
    findings_->conflict(pointer_ + '/' + std::string(path), message);
}

bool check_header(const Reader& root, std::string_view schema, int version, bool required) {
    if (!root.object()) return false;
    const auto errors = root.findings().errors();
    const auto named = root.member("schema"), numbered = root.member("version");
    if (!named && required) root.missing("schema", in_quotes(schema));
    if (named && named->json() != schema)
        named->error(phrase("found {1}, expected {2}", found(named->json()), in_quotes(schema)));
    if (!numbered && required) root.missing("version", std::to_string(version));
    if (numbered && root.findings().errors() == errors)
        if (const auto v = numbered->whole({1, 1e9}); v && *v > version)
            numbered->error(
                phrase("version {1} is newer than {2}, the newest that this Plimsoll reads", *v, version));
    return root.findings().errors() == errors;
}

// ---- Text to JSON: the one place where the JSON library may throw

namespace {

constexpr int deepest = 64;  // what reads the JSON recurses, and no plan needs ten

// "line 3, column 5" of a byte offset.
std::string place(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto start = before.rfind('\n') + 1;  // npos + 1 is 0
    return phrase("line {1}, column {2}", line, before.size() - start + 1);
}

constexpr std::size_t most_values = 3'000'000;  // a hundred bytes each, however few bytes they take in the file

// What cannot be read into memory, or not safely: the offset of the bracket that opens one level too many, or of the
// value that is one too many.
struct Excess {
    std::size_t at = std::string_view::npos;
    bool deep = false;
};
Excess excess_of(std::string_view text) {
    int depth = 0;
    std::size_t values = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\') ++i;
        else if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if ((c == '{' || c == '[') && ++depth > deepest) return {i, true};
        if (c == '}' || c == ']') --depth;
        if ((c == '{' || c == '[' || c == ',') && ++values > most_values) return {i, false};
    }
    return {};
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
    if (open == what.npos || close <= open) return phrase("a number is too large");
    const auto number = what.substr(open + 1, close - open - 1);
    return phrase("{1}: number {2} is too large", place(text, text.find(number)), number.substr(0, 40));
}

}  // namespace

std::optional<Json> parse(std::string_view text, Findings& findings) {
    if (const Excess excess = excess_of(text); excess.at != text.npos) {
        const std::string at = place(text, excess.at);
        findings.error("", excess.deep ? phrase("{1}: nested deeper than {2} levels", at, deepest)
                                       : phrase("{1}: more than {2} values", at, most_values));
        return std::nullopt;
    }
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& e) {  // its byte counts from one and is past the offending character
        findings.error("", phrase("{1}: not JSON: {2}", place(text, e.byte > 0 ? e.byte - 1 : 0), reason(e.what())));
    } catch (const Json::exception& e) {
        findings.error("", overflow(text, e.what()));
    }
    return std::nullopt;
}

// ---- What a mistyped key or preset id may have meant

namespace {

constexpr std::size_t longest_word = 64;  // the edit distance takes the product of the lengths

bool contains(std::string_view a, std::string_view b) { return b.size() >= 3 && a.find(b) != a.npos; }

// How far apart, or more than any limit: half the word may be wrong, or one holds the other.
std::size_t remoteness(std::string_view word, std::string_view candidate) {
    const auto edits = edit_distance(word, candidate);
    const auto length = std::max(word.size(), candidate.size());
    const bool near = 2 * edits <= length || contains(word, candidate) || contains(candidate, word);
    return near ? edits : longest_word * 2;
}

}  // namespace

std::vector<std::string> nearest(std::string_view word, std::span<const std::string_view> candidates,
                                 std::size_t most) {
    if (word.size() > longest_word) return {};
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (const auto candidate : candidates)
        if (const auto far = remoteness(word, candidate.substr(0, longest_word)); far < longest_word * 2)
            ranked.emplace_back(far, candidate);
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::string> names;
    for (const auto& [far, name] : ranked)
        if (names.size() < most && far <= ranked.front().first + 1) names.push_back(name);
    return names;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
    std::string text;
    for (const auto& name : nearest(word, candidates, 3))
        text += (text.empty() ? "" : ", ") + in_quotes(name);
    return text.empty() ? text : phrase("; nearest: {1}", text);
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t most = 60;
    std::size_t end = std::min(text.size(), most);
    while (end < text.size() && end > 0 && (text[end] & 0xC0) == 0x80) --end;  // not inside a UTF-8 character
    std::string out = "\"";
    for (const char c : text.substr(0, end)) out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    return out + (end < text.size() ? "...\"" : "\"");
}

}  // namespace plimsoll::files
