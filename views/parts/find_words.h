#pragma once
// Finding by typed words: in any order, at the beginning of a word or inside it, whatever the case, hyphens or spaces.
//
//   const Typed typed(tr("llama2 70"));
//   typed.score({.label = "Llama-2 70B"}) > 0;      // and 0 for what does not have every word
//
// A number is not the beginning of another one unless it is still being typed: "H100" does not find "H1000 H20", and
// "TP 8 deg" does not find "TP 80 degrees".

#include <QString>
#include <QStringList>

#include <vector>

namespace plimsoll {

// Lower case, letters and digits in words with one space between them: "Llama-2 70B" is "llama 2 70b".
QString folded(const QString&);

// What can be found, with its texts from the most to the least telling.
struct Findable {
    QString label = {};
    QStringList names = {};  // what else people call it, the most usual first
    QString about = {};      // heading, id, help: found by whole words and their beginnings only
    bool unlikely = false;   // of no use at the moment: comes after what is
};

// The same, folded once: lists look through hundreds at every key.
class Prepared {
public:
    explicit Prepared(const Findable&);

private:
    friend class Typed;
    struct Squeezed {  // without spaces: "llama2" and "dgxh100" are typed as one
        explicit Squeezed(const QString& folded_text);
        bool word_ends_at(qsizetype end) const { return end == text.size() || begins[std::size_t(end)]; }
        QString text, whole;
        std::vector<bool> begins, piece;  // of each character: of a word, or of a word or number inside one
    };
    Squeezed label_, about_;
    std::vector<Squeezed> names_;
    bool unlikely_;
};

class Typed {
public:
    explicit Typed(const QString& text);

    bool empty() const { return words_.isEmpty(); }
    // 0 where a word is missing; else the larger the better. What is called exactly so comes first, then what has the
    // words in its label, then in its other names, and last what only its description speaks of.
    int score(const Prepared&) const;
    int score(const Findable& f) const { return score(Prepared(f)); }
    // From this score on, label or other names hold all words.
    static constexpr int by_name = 12;

private:
    static int fit_of(const Prepared::Squeezed& in, const QString& word, bool still_typed);

    QString whole_;      // folded
    QStringList words_;
};

// The places of those found, the best first; of equal ones the order stays. Nothing typed finds all.
std::vector<int> ranking(const Typed&, const std::vector<Prepared>&);

}  // namespace plimsoll
