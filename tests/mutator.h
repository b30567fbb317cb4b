#pragma once
// Damages texts the same way on every machine and run: what a disk, a transfer, an editor or somebody with bad
// intentions makes of a file.
//
//   Mutator mutate(7);
//   mutate(text);      // one to three damages

#include <algorithm>
#include <cctype>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::testing {

class Mutator {
public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    std::string operator()(std::string text) {
        for (std::size_t left = 1 + below(3); left > 0; --left) damage(text);
        return text;
    }

    std::size_t below(std::size_t most) { return most == 0 ? 0 : random_() % most; }

private:
    struct Piece { std::size_t at, size; };

    // Numbers, words in quotes, and words without: what a reader takes for one value.
    std::vector<Piece> pieces(const std::string& text) {
        std::vector<Piece> all;
        const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_'
                                            || c == '-' || c == '+'; };
        for (std::size_t at = 0; at < text.size();) {
            std::size_t end = at;
            if (text[at] == '"') {
                end = std::min(text.find('"', at + 1), text.size() - 1) + 1;
            } else {
                while (end < text.size() && plain(text[end])) ++end;
            }
            if (end > at) all.push_back({at, end - at});
            at = std::max(end, at + 1);
        }
        return all;
    }

    template <class Of>
    auto& one_of(const Of& of) { return of[below(std::size(of))]; }

    // The value behind a key stays of its kind more often than not, so that readers come further than the first byte.
    void replace_piece(std::string& text) {
        static const std::string numbers[] = {
            "0", "-1", "1", "-0.0", "1e999", "-1e999", "1e308", "1e-320", "NaN", "nan", "Infinity", "inf", "2147483647",
            "2147483648", "-2147483649", "9223372036854775808", "99999999999999999999999999", "0.1e-12", "1.5", "65537",
            "1000000007", "0x10", "1_000", "01", "+1", ".5", "1e", "3T"};
        static const std::string words[] = {
            "null", "true", "[]", "{}", "[[]]", "\"\"", "\" \"", "\"../../x\"", "\"\\u0000\"", "\"\\ud800\"",
            "\"\\u202e\"", "\"a\\nb\"", "\"<img src=/x>\"", "\"$(touch x)\"", "\"=1+1\"", "\"\xff\xfe\"", "\"\xc3\"",
            "\"\xed\xa0\x80\"", "\"\x1b[2J\"", "{\"preset\": \"..\"}", "-", ",,", "\"gpt3-175b\"", "\"selene\""};
        const auto all = pieces(text);
        if (all.empty()) return;
        const Piece p = one_of(all);
        const bool number = std::isdigit(static_cast<unsigned char>(text[p.at])) || text[p.at] == '-';
        text.replace(p.at, p.size, below(4) == 0 || !number ? one_of(words) : one_of(numbers));
    }

    void swap_pieces(std::string& text) {
        const auto all = pieces(text);
        if (all.size() < 2) return;
        Piece a = one_of(all), b = one_of(all);
        if (a.at > b.at) std::swap(a, b);
        if (a.at + a.size > b.at) return;
        const std::string first = text.substr(a.at, a.size), second = text.substr(b.at, b.size);
        text.replace(b.at, b.size, first);
        text.replace(a.at, a.size, second);
    }

    // A key twice: `"layers": 4, ` stands before a later piece as well.
    void repeat_member(std::string& text) {
        const auto all = pieces(text);
        if (all.empty()) return;
        const Piece p = one_of(all);
        const std::size_t end = std::min(text.find_first_of(",}\n", p.at), text.size());
        text.insert(p.at, text.substr(p.at, end - p.at) + (text.find('{') < text.size() ? "," : "\n"));
    }

    void nest(std::string& text) {
        const std::size_t depth = one_of(std::vector<std::size_t>{10, 65, 1000, 100'000});
        const bool objects = below(2);
        std::string deep;
        for (std::size_t i = 0; i < depth; ++i) deep += objects ? "{\"a\":" : "[";
        const auto all = pieces(text);
        const std::size_t at = all.empty() || below(4) == 0 ? 0 : one_of(all).at;
        if (below(2)) deep += "1" + std::string(depth, objects ? '}' : ']');
        text.insert(at, deep);
    }

    void lengthen(std::string& text) {
        static const std::string units[] = {"a", "9", "\xe4\xb8\xad", "\xff", "W ", "\\u00e9", "0"};
        const auto all = pieces(text);
        if (all.empty()) return;
        const Piece p = one_of(all);
        std::string more;
        const std::string& unit = one_of(units);
        const std::size_t size = one_of(std::vector<std::size_t>{201, 5000, 200'000});
        while (more.size() < size) more += unit;
        text.insert(p.at + (p.size + 1) / 2, more);
    }

    void reencode(std::string& text) {
        switch (below(6)) {
            case 0: text.insert(0, "\xef\xbb\xbf"); break;
            case 1: text.insert(below(text.size() + 1), 1, '\0'); break;
            case 2: text += text; break;
            case 3: text.clear(); break;
            case 4: {
                std::string lines;
                for (const char c : text) lines += c == '\n' ? std::string("\r\n") : std::string(1, c);
                text = lines;
                break;
            }
            default: {
                std::string wide = "\xff\xfe";
                for (const char c : text) wide += c, wide += '\0';
                text = wide;
            }
        }
    }

    void damage(std::string& text) {
        if (text.size() > 2'000'000) text.resize(2'000'000);  // three long damages one upon the other
        switch (below(16)) {
            case 0: text.resize(below(text.size() + 1)); break;
            case 1:
                for (std::size_t n = 1 + below(4); n > 0 && !text.empty(); --n)
                    text[below(text.size())] ^= char(1 << below(8));
                break;
            case 2: if (!text.empty()) text[below(text.size())] = char(below(256)); break;
            case 3: if (!text.empty()) text.erase(below(text.size()), 1 + below(40)); break;
            case 4: {
                const std::size_t from = below(text.size() + 1);
                text.insert(below(text.size() + 1), text.substr(from, 1 + below(200)));
                break;
            }
            case 5: case 6: swap_pieces(text); break;
            case 7: repeat_member(text); break;
            case 8: if (below(2)) nest(text); break;
            case 9: if (below(2)) lengthen(text); break;
            case 10: if (below(4) == 0) reencode(text); break;
            default: replace_piece(text);
        }
    }

    std::mt19937 random_;
};

}  // namespace plimsoll::testing
