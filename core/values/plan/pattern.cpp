#include "core/values/plan/pattern.h"

#include "core/values/basics/phrase.h"

#include <algorithm>
#include <array>

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

namespace {

constexpr std::size_t longest_run = 64;   // letters that are looked for again

}  // namespace

// From the end: what is left after each place costs least in one way, which is kept.
std::vector<PatternRun> runs_of(std::string_view all) {
    // Of ways that cost as much the one of fewer runs.
    struct Way {
        std::size_t cost = 0, runs = 0, letters = 1, times = 1;
        bool better_than(const Way& o) const { return cost != o.cost ? cost < o.cost : runs < o.runs; }
    };
    std::vector<Way> from(all.size() + 1);
    std::array<std::size_t, longest_run + 1> same{};   // letters from here on that stand so much further on again
    for (std::size_t at = all.size(); at-- > 0;) {
        const Way& next = from[at + 1];
        const bool joins = at + 1 < all.size() && next.times == 1;
        Way best{next.cost + 1, next.runs + (joins ? 0 : 1)};
        for (std::size_t letters = 1; letters <= longest_run && at + letters < all.size(); ++letters) {
            same[letters] = all[at] == all[at + letters] ? same[letters] + 1 : 0;
            const std::size_t most = same[letters] / letters + 1;
            // One less than there are may leave the beginning of what repeats next.
            for (std::size_t times = most; times > 1 && times + 2 > most; --times) {
                const Way& rest = from[at + letters * times];
                const Way way{letters + 1 + rest.cost, rest.runs + 1, letters, times};
                if (way.better_than(best)) best = way;
            }
        }
        from[at] = best;
    }
    std::vector<PatternRun> runs;
    for (std::size_t at = 0; at < all.size(); at += from[at].letters * from[at].times) {
        const std::string letters(all.substr(at, from[at].letters));
        const bool plain = from[at].times == 1;
        if (plain && !runs.empty() && runs.back().times == 1) runs.back().letters += letters;
        else runs.push_back({letters, int(from[at].times)});
    }
    return runs;
}

std::string folded(std::string_view letters) {
    std::string text;
    for (const PatternRun& run : runs_of(letters)) {
        if (run.times == 1) text += run.letters;
        else if (run.letters.size() == 1) text += run.letters + "x" + std::to_string(run.times);
        else text += "(" + run.letters + ")x" + std::to_string(run.times);
    }
    return text;
}

}  // namespace plimsoll
