#include "views/parts/find_words.h"

#include <algorithm>
#include <utility>

namespace plimsoll {

namespace {

// How a word stands in a text; larger is better.
enum Fit { absent = 0, inside = 4, begun_number = 5, beginning = 7, whole_word = 8 };

bool starts_piece(const QString& text, qsizetype at) {
    if (at == 0 || text[at - 1] == u' ') return true;
    return text[at - 1].isDigit() != text[at].isDigit();  // "h100" has the pieces "h" and "100"
}

}  // namespace

QString folded(const QString& text) {
    QString out;
    for (const QChar c : text.normalized(QString::NormalizationForm_KD)) {
        if (c.isLetterOrNumber()) out += c.toLower();
        else if (c.category() != QChar::Mark_NonSpacing && !out.isEmpty() && !out.endsWith(u' ')) out += u' ';
    }
    if (out.endsWith(u' ')) out.chop(1);
    return out;
}

Prepared::Squeezed::Squeezed(const QString& folded_text) : whole(folded_text) {
    for (qsizetype i = 0; i < folded_text.size(); ++i) {
        if (folded_text[i] == u' ') continue;
        text += folded_text[i];
        begins.push_back(i == 0 || folded_text[i - 1] == u' ');
        piece.push_back(starts_piece(folded_text, i));
    }
}

Prepared::Prepared(const Findable& f) : label_(folded(f.label)), about_(folded(f.about)), unlikely_(f.unlikely) {
    for (const QString& name : f.names) names_.emplace_back(folded(name));
}

Typed::Typed(const QString& text) : whole_(folded(text)), words_(whole_.split(u' ', Qt::SkipEmptyParts)) {}

int Typed::fit_of(const Prepared::Squeezed& in, const QString& word, bool still_typed) {
    const auto fit_at = [&](qsizetype at) {
        const qsizetype end = at + word.size();
        const bool ends = in.word_ends_at(end);
        const bool cuts_number = !ends && word.back().isDigit() && in.text[end].isDigit();
        if (cuts_number && !still_typed) return absent;
        if (!in.piece[std::size_t(at)]) {
            const bool crosses = std::find(in.begins.begin() + at + 1, in.begins.begin() + end, true)
                              != in.begins.begin() + end;
            return word.size() >= 3 && !crosses && !word.front().isDigit() ? inside : absent;
        }
        if (cuts_number) return begun_number;
        return ends && in.begins[std::size_t(at)] ? whole_word : beginning;
    };
    Fit best = absent;
    for (qsizetype at = in.text.indexOf(word); at >= 0; at = in.text.indexOf(word, at + 1))
        best = std::max(best, fit_at(at));
    return best;
}

int Typed::score(const Prepared& p) const {
    if (empty()) return 1;
    constexpr int label_weight = 4, name_weight = 3, called_so = 100;
    int total = 0;
    for (qsizetype i = 0; i < words_.size(); ++i) {
        const bool still_typed = i + 1 == words_.size();
        int best = label_weight * fit_of(p.label_, words_[i], still_typed);
        for (const auto& name : p.names_) best = std::max(best, name_weight * fit_of(name, words_[i], still_typed));
        if (best == 0 && fit_of(p.about_, words_[i], still_typed) >= begun_number) best = 1;
        if (best == 0) return 0;
        total += best;
    }
    total /= int(words_.size());
    if (p.label_.whole == whole_) total += called_so;
    for (std::size_t i = 0; i < p.names_.size(); ++i)
        if (p.names_[i].whole == whole_) total = std::max(total, called_so - int(i));
    const bool named = total >= called_so / 2;  // whoever types its name means it, whether it is of use or not
    return std::max(p.unlikely_ && !named ? total / 8 : total, 1);
}

std::vector<int> ranking(const Typed& typed, const std::vector<Prepared>& all) {
    std::vector<std::pair<int, int>> found;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (const int score = typed.score(all[i]); score > 0) found.emplace_back(-score, int(i));
    std::sort(found.begin(), found.end());
    std::vector<int> order;
    for (const auto& [score, at] : found) order.push_back(at);
    return order;
}

}  // namespace plimsoll
