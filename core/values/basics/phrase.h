#pragma once
// Sentences in the language of whoever reads them.
//
//   phrase("{1} does not divide {2}.", "Tensor parallel 3", "heads 52")
//
// is English everywhere, but for a thread that speaks another language: there the pattern is looked up first, and a
// pattern that the book lacks stays English. The window speaks while it is open; commands and whatever writes a file do
// not, so that what is written is the same for every reader. The patterns are found in the sources by
// tests/checks/translations.py: each stands as a literal in the call.

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace plimsoll {

class Phrasebook {
public:
    virtual ~Phrasebook() = default;
    // The pattern in the book's language, with the same places; empty: it has none.
    virtual std::string find(std::string_view pattern) const = 0;
};

// While one lives, its thread speaks the language of the book; of none: English.
class Speaking {
public:
    explicit Speaking(const Phrasebook*);
    ~Speaking();
    Speaking(const Speaking&) = delete;
    Speaking& operator=(const Speaking&) = delete;
    static const Phrasebook* now();   // of this thread

private:
    const Phrasebook* before_;
};

namespace phrases {

inline std::string text(std::string_view s) { return std::string(s); }
std::string text(std::integral auto whole) { return std::to_string(whole); }
std::string filled(std::string_view pattern, std::initializer_list<std::string> places);   // {1} is the first

}  // namespace phrases

template <class... Places>
std::string phrase(std::string_view pattern, const Places&... places) {
    return phrases::filled(pattern, {phrases::text(places)...});
}

// numbered(2, "node", "nodes") is "2 nodes": one of the two words is looked up.
inline std::string numbered(long long n, std::string_view one, std::string_view several) {
    return std::to_string(n) + ' ' + phrase(n == 1 ? one : several);
}

}  // namespace plimsoll
