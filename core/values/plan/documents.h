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

namespace plimsoll {

struct Documents {
    double length = 0;      // tokens, the mean; 0: a window holds one document, or attention sees all of them
    double variation = 0;   // standard deviation of the lengths over their mean
    bool apart() const { return length > 0; }
    friend bool operator==(const Documents&, const Documents&) = default;
};

// The tokens that a query may see.
struct Sequence {
    int tokens;
    Documents documents;
    Sequence(int all, Documents of = {}) : tokens(all), documents(of) {}
};

// Share of a layer's causal scores inside documents and a window of so many tokens; 0: no window. Chunks are cut from
// the sequence: of each the triangle before the diagonal.
double window_density(int tokens, bool chunks, const Sequence&);

// Standard deviation of that share from sequence to sequence, over its mean. Two limits are added in squares: of many
// short documents, those of a renewal process; of long ones, where a border falls that only some windows have.
double density_variation(int tokens, bool chunks, const Sequence&);

}  // namespace plimsoll
