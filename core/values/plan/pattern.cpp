#include "core/values/plan/pattern.h"

#include "core/values/basics/phrase.h"

#include <algorithm>

namespace plimsoll {

namespace {

constexpr int deepest = 8;   // brackets inside brackets

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class PatternText {
public:
    PatternText(std::string_view text, std::size_t most) : text_(text), most_(most) {}

    Expected<std::string, std::string> run() {
        std::string all = letters(0);
        if (wrong_.empty() && at_ < text_.size()) wrong_ = phrase("a closing bracket without one that opens");
        if (!wrong_.empty()) return Unexpected{wrong_};
        return all;
    }

private:
    // Up to the end or the closing bracket of this depth.
    std::string letters(int depth) {
        std::string all;
        while (wrong_.empty() && at_ < text_.size() && text_[at_] != ')') {
            const char c = text_[at_++];
            if (c == ' ' || c == ',') continue;
            std::string item(1, c);
            if (c == '(') item = bracket(depth + 1);
            const std::size_t times = repeats();
            if (times * item.size() + all.size() > most_) {
                wrong_ = phrase("more than {1} letters", int(most_));
                break;
            }
            for (std::size_t i = 0; i < times; ++i) all += item;
        }
        return all;
    }

    std::string bracket(int depth) {
        if (depth > deepest) {
            wrong_ = phrase("brackets more than {1} deep", deepest);
            return {};
        }
        std::string inner = letters(depth);
        if (wrong_.empty() && at_ == text_.size()) wrong_ = phrase("an opening bracket without one that closes");
        ++at_;
        return inner;
    }

    // A * or x with a number behind it; 1 where there is none.
    std::size_t repeats() {
        const bool sign = at_ + 1 < text_.size() && (text_[at_] == '*' || text_[at_] == 'x');
        if (!sign || !is_digit(text_[at_ + 1])) return 1;
        std::size_t times = 0;
        for (++at_; at_ < text_.size() && is_digit(text_[at_]); ++at_)
            times = std::min(most_ + 1, 10 * times + std::size_t(text_[at_] - '0'));
        return times;
    }

    std::string_view text_;
    std::size_t most_, at_ = 0;
    std::string wrong_;
};

}  // namespace

Expected<std::string, std::string> expanded(std::string_view text, std::size_t most) {
    return PatternText(text, most).run();
}

}  // namespace plimsoll
