#pragma once
// Reads parsed JSON and remembers everything that is wrong with it.
//
//   Findings findings("plan.json");
//   if (auto json = parse(text, findings)) {
//       const Reader root(*json, "", findings);
//       if (auto at = root.member("memory_GiB")) memory = at->number(positive);
//   }
//
// Every reading function answers nothing when it has noted an error. Internal
// to core/files: no public header includes this one.

#include "core/files/text/problem.h"
#include "core/values/basics/number_range.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::files {

using Json = nlohmann::json;                 // as read: keys sorted, quick to find
using OrderedJson = nlohmann::ordered_json;  // as written: keys in the order of the tables

// Whether values that contradict each other make a file unreadable. A preset is
// refused; a plan opens with warnings, because estimate() names what stands in its way.
enum class Conflicts { are_errors, are_warnings };

// The problems of one file. Keeps the first hundred: a file of a million wrong
// keys should not cost a million messages.
class Findings {
public:
    explicit Findings(std::string file, Conflicts conflicts = Conflicts::are_errors);
    void error(const std::string& pointer, const std::string& message);
    void warning(const std::string& pointer, const std::string& message);
    void conflict(const std::string& pointer, const std::string& message);
    bool strict() const { return conflicts_ == Conflicts::are_errors; }
    std::size_t errors() const { return errors_; }
    bool full(Severity) const;   // what is added now is counted and not kept: spare the work of wording it
    Problems take() { return std::move(problems_); }

private:
    void add(Severity, const std::string& pointer, const std::string& message);
    std::string file_;
    Conflicts conflicts_;
    Problems problems_;
    std::size_t errors_ = 0, warnings_ = 0;
};

inline constexpr double smallest = 1e-12, largest = 1e18;  // nothing physical is beyond, in any unit of a file
inline constexpr NumberRange positive{smallest, largest};
inline constexpr NumberRange not_negative{0, largest};
inline constexpr NumberRange fraction{smallest, 1};
inline constexpr NumberRange share{0, 1};
inline constexpr NumberRange factor{smallest, 1000};

std::string a_number(NumberRange);        // "a number above 0, at most 1"
std::string a_whole_number(NumberRange);  // "a whole number from 1 to 10000"
std::string one_of(std::span<const std::string_view>);

class Reader {
public:
    Reader(const Json& json, std::string pointer, Findings& findings)
        : json_(&json), pointer_(std::move(pointer)), findings_(&findings) {}

    std::optional<double> number(NumberRange) const;
    std::optional<int> whole(NumberRange) const;
    std::optional<std::string> text() const;                     // as it stands; for comparing, not for keeping
    std::optional<std::string> line(std::size_t most) const;     // without control characters, at most so many others
    std::optional<std::string> prose(std::size_t most) const;    // the same, on any number of lines
    std::optional<bool> flag() const;
    // Index into names; the other names of the field are understood (core/values/basics/other_names.h).
    std::optional<int> choice(std::span<const std::string_view> names) const;
    bool object() const;  // notes an error when it is none
    bool array(std::size_t most) const;
    bool is_text() const;

    std::optional<Reader> member(std::string_view key) const;  // nothing when absent or null; notes nothing
    std::vector<Reader> elements() const;
    std::vector<std::string> keys() const;
    void warn_of_keys_beyond(std::span<const std::string_view> known) const;
    void missing(std::string_view key, const std::string& expected) const;

    void error(const std::string& message) const { findings_->error(pointer_, message); }
    void error(std::string_view key, const std::string& message) const;
    void warning(const std::string& message) const { findings_->warning(pointer_, message); }
    void warning(std::string_view key, const std::string& message) const;
    void conflict(std::string_view path, const std::string& message) const;  // "levels/2/devices"

    const Json& json() const { return *json_; }
    const std::string& pointer() const { return pointer_; }
    Findings& findings() const { return *findings_; }

private:
    std::string pointer_of(std::string_view key) const;
    void unexpected(const std::string& expected) const;
    const Json* json_;
    std::string pointer_;
    Findings* findings_;
};

// Nothing, with line and column noted, when the text is not JSON, nests deeper
// than 64 or holds a number no double can.
std::optional<Json> parse(std::string_view text, Findings&);

// True when "schema" and "version" are ones we read. With `required` false both may be absent.
bool check_header(const Reader& root, std::string_view schema, int version, bool required);

// The candidates that may have been meant, best first; none when nothing is near.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string_view> candidates, std::size_t most);
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);  // "; nearest: a, b"

// In quotes and short enough for a message.
std::string in_quotes(std::string_view text);

}  // namespace plimsoll::files
