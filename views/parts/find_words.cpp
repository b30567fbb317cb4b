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

// `text` without its spaces, and where words end, for names that are typed as one: "llama2", "dgxh100".
struct Squeezed {
    QString text;
    std::vector<bool> begins, piece;  // of each character: a word, or a word or number inside one

    explicit Squeezed(const QString& folded_text) {
        for (qsizetype i = 0; i < folded_text.size(); ++i) {
            if (folded_text[i] == u' ') continue;
            text += folded_text[i];
            begins.push_back(i == 0 || folded_text[i - 1] == u' ');
            piece.push_back(starts_piece(folded_text, i));
        }
    }
    bool word_ends_at(qsizetype end) const { return end == text.size() || begins[std::size_t(end)]; }
};

Fit fit_at(const Squeezed& in, qsizetype at, const QString& word, bool still_typed) {
    const qsizetype end = at + word.size();
    const bool ends = in.word_ends_at(end);
    const bool cuts_number = !ends && word.back().isDigit() && in.text[end].isDigit();
    if (cuts_number && !still_typed) return absent;
    if (!in.piece[std::size_t(at)]) {
        const bool crosses = std::any_of(in.begins.begin() + at + 1, in.begins.begin() + end, [](bool b) { return b; });
        return word.size() >= 3 && !crosses && !word.front().isDigit() ? inside : absent;
    }
    if (cuts_number) return begun_number;
    return ends && in.begins[std::size_t(at)] ? whole_word : beginning;
}

Fit fit_of(const Squeezed& in, const QString& word, bool still_typed) {
    Fit best = absent;
    for (qsizetype at = in.text.indexOf(word); at >= 0; at = in.text.indexOf(word, at + 1))
        best = std::max(best, fit_at(in, at, word, still_typed));
    return best;
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

Typed::Typed(const QString& text) : whole_(folded(text)), words_(whole_.split(u' ', Qt::SkipEmptyParts)) {}

int Typed::score(const Findable& f) const {
    if (empty()) return 1;
    constexpr int label_weight = 4, name_weight = 3, called_so = 100;
    const QString label = folded(f.label);
    const Squeezed in_label(label), in_about(folded(f.about));
    std::vector<Squeezed> in_names;
    for (const QString& name : f.names) in_names.emplace_back(folded(name));

    int total = 0;
    for (qsizetype i = 0; i < words_.size(); ++i) {
        const bool still_typed = i + 1 == words_.size();
        int best = label_weight * fit_of(in_label, words_[i], still_typed);
        for (const Squeezed& name : in_names) best = std::max(best, name_weight * fit_of(name, words_[i], still_typed));
        if (best == 0 && fit_of(in_about, words_[i], still_typed) >= begun_number) best = 1;
        if (best == 0) return 0;
        total += best;
    }
    total /= int(words_.size());
    if (label == whole_) total += called_so;
    for (qsizetype i = 0; i < f.names.size(); ++i)
        if (folded(f.names[i]) == whole_) total = std::max(total, called_so - int(i));
    return std::max(total, 1);
}

std::vector<int> ranking(const Typed& typed, const std::vector<Findable>& all) {
    std::vector<std::pair<int, int>> found;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (const int score = typed.score(all[i]); score > 0) found.emplace_back(-score, int(i));
    std::sort(found.begin(), found.end());
    std::vector<int> order;
    for (const auto& [score, at] : found) order.push_back(at);
    return order;
}

}  // namespace plimsoll
