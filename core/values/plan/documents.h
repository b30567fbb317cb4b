#pragma once
// Documents that share a window of tokens, where attention does not look from one into another.
//
//   const Sequence window{8192, {1200, 1.5}};       // documents of 1,200 tokens on average
//   window_density(0, false, window);               // 0.37: share of the causal scores inside documents
//
// Documents follow each other in a stream, their lengths lognormal with this mean and coefficient of variation, and
// windows are cut from it wherever they end. Two tokens u apart belong to one document with probability
// E max(X - u, 0) / E X, so the share of the scores is
//   2 / s^2 x integral over u from 0 to s of (s - u) E max(X - u, 0) / E X
// which is in closed form. Of short documents it is E X^2 / (s E X), of documents much longer than the window 1, and
// windows of attention only end the integral earlier. [derived; the lognormal form is assumed]
//
// Or each is a row of its own, cut off at the sequence length s: padded to s, padded to the longest of the n that a
// micro-batch has, or not padded at all (padding-free: its documents one after the other, with no limit to the row). A
// row is R = min(longest of n, s) tokens long then, with n = 1 where nothing is padded, and
//   P(R <= r) = P(X <= r)^n below s,   E g(R) = integral of g over it + g(s) (1 - P(X <= s)^n)
// gives the tokens that are worked, E R, and the scores, E R^2 / 2 before any window. Of these E min(X, s) count.

namespace plimsoll {

struct Documents {
    double length = 0;      // tokens, the mean; 0: a window holds one document, or attention sees all of them
    double variation = 0;   // standard deviation of the lengths over their mean
    bool apart() const { return length > 0; }
    friend bool operator==(const Documents&, const Documents&) = default;
};

// How documents fill the rows that are worked on.
enum class RowKind { packed, padding_free, padded, padded_to_longest };

// The tokens that a query may see.
struct Sequence {
    double tokens;          // in the mean, where rows differ
    Documents documents;
    int longest_of = 0;     // a row is as long as the longest of so many documents; 0: they follow each other in it
    int cut = 0;            // and no longer than this
    Sequence(double all, Documents of = {}) : tokens(all), documents(of) {}
    Sequence(double all, Documents of, int longest, int at)
        : tokens(all), documents(of), longest_of(longest), cut(at) {}
    friend bool operator==(const Sequence&, const Sequence&) = default;
};

// The rows of micro-batches of so many sequences or documents, each of at most so many tokens.
struct Filling {
    RowKind rows = RowKind::packed;
    int length = 1;
    Documents documents;
    // Nothing is padded, and all rows are as long.
    bool whole() const { return rows == RowKind::packed || !documents.apart(); }
};
Sequence worked_rows(const Filling&, int micro_batch);
Sequence counted_rows(const Filling&);   // of the tokens of documents alone
// A row of the longest micro-batch where so many documents are drawn. Lengths have a long tail, so that one document
// makes it: padding-free the others are of mean length, or all of them together have the largest sum of a normal
// distribution, whichever is more.
Sequence longest_rows(const Filling&, int micro_batch, double documents);

// Share of a layer's causal scores inside documents and a window of so many tokens; 0: no window. Chunks are cut from
// the sequence: of each the triangle before the diagonal.
double window_density(int tokens, bool chunks, const Sequence&);

// Standard deviation of that share from sequence to sequence, over its mean. Two limits are added in squares: of many
// short documents, those of a renewal process; of long ones, where a border falls that only some windows have.
double density_variation(int tokens, bool chunks, const Sequence&);
// The same of a row's tokens where rows differ in length. Rows that are padded together are as long: of each alone they
// vary so much more that a mean over them has the right spread.
double row_variation(const Sequence&);

}  // namespace plimsoll
