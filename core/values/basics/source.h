#pragma once
// Where a number comes from. Every preset value carries one, and so does every
// leaf of an explanation.

#include <map>
#include <string>

namespace plimsoll {

enum class SourceKind { measured, vendor, derived, estimated, user };

struct Source {
    SourceKind kind = SourceKind::estimated;
    std::string text;  // publication, page or reasoning, for people
    friend bool operator==(const Source&, const Source&) = default;
};

// Keyed by the JSON pointer of the value in its preset, e.g. "/device/memory_GiB".
// A pointer may name a container; the longest prefix that is present answers.
using Sources = std::map<std::string, Source, std::less<>>;

// The source of `pointer`, or an "estimated, no source given" one.
Source source_of(const Sources&, const std::string& pointer);

}  // namespace plimsoll
