#include "core/values/plan/documents.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll {

namespace {

double normal_share(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

// Moments of a document's length X: E[X^n], n from 0 to 4, of all documents or of those that are no longer than a
// bound.
using Moments = std::array<double, 5>;

Moments moments(const Documents& d, double bound) {
    Moments m{};
    if (d.variation <= 0) {
        for (int n = 0; n < 5; ++n) m[n] = d.length <= bound ? std::pow(d.length, n) : 0;
        return m;
    }
    const double variance = std::log1p(d.variation * d.variation), middle = std::log(d.length) - variance / 2;
    for (int n = 0; n < 5; ++n)
        m[n] = std::exp(n * middle + n * n * variance / 2)
             * normal_share((std::log(bound) - middle - n * variance) / std::sqrt(variance));
    return m;
}

Moments longer(const Documents& d, const Moments& within) {
    const double square = 1 + d.variation * d.variation;
    Moments m{};
    for (int n = 0; n < 5; ++n)
        m[n] = std::max(0.0, std::pow(d.length, n) * std::pow(square, n * (n - 1) / 2) - within[n]);
    return m;
}

// Of s tokens, with a window of w, the integral above: documents within the window count up to their end.
double share_of_scores(const Documents& d, double s, double w) {
    const Moments in = moments(d, w), out = longer(d, in);
    const double ends = s / 2 * in[2] - in[3] / 6;
    const double goes_on = (s * w - w * w / 2) * out[1] - (s * w * w / 2 - w * w * w / 3) * out[0];
    return std::clamp(2 * (ends + goes_on) / (s * s * d.length), 0.0, 1.0);
}

double without_documents(double s, double w) { return w >= s ? 1 : w * (2 * s - w) / (s * s); }

// Of many short documents. One of X tokens has g(X) = X^2 scores, or (2 w - X) X of a window, none beyond s; in a
// window of s tokens the variance of their sum is s / E X x E (g - r X)^2, r = E g / E X.
double variance_of_short(const Documents& d, double s, double w) {
    const Moments in = moments(d, w), all = moments(d, s);
    const double beyond = std::max(0.0, 1 - all[0]);
    Moments between;
    for (int n = 0; n < 5; ++n) between[n] = std::max(0.0, all[n] - in[n]);
    const double tokens = all[1] + s * beyond;
    const auto of_window = [&](double x) { return 2 * w * x - w * w; };
    const double scores = in[2] + 2 * w * between[1] - w * w * between[0] + of_window(s) * beyond;
    const double r = scores / tokens, slope = 2 * w - r;
    const double square = in[4] - 2 * r * in[3] + r * r * in[2] + slope * slope * between[2]
                        - 2 * slope * w * w * between[1] + w * w * w * w * between[0]
                        + std::pow(of_window(s) - r * s, 2) * beyond;
    return std::max(0.0, tokens / s * square / (scores * scores));
}

// Of long ones. A border at a share a of the sequence takes 2 a (1 - a) of its scores, on average 2/5 of that again,
// or, of a window, at most w / 2s.
double variance_of_long(double lost, double s, double w) {
    const double border = std::min(0.4, w / (2 * s));
    return std::max(0.0, lost * border - lost * lost);
}

}  // namespace

double window_density(int tokens, bool chunks, const Sequence& all) {
    const double s = all.tokens, width = tokens > 0 ? std::min<double>(tokens, s) : s;
    const Documents& d = all.documents;
    if (!d.apart()) {
        if (tokens <= 0 || tokens >= all.tokens) return 1;
        if (!chunks) return width * (2 * s - width) / (s * s);
        const double rest = all.tokens % tokens;
        return (all.tokens / tokens * width * width + rest * rest) / (s * s);
    }
    if (!chunks || width >= s) return share_of_scores(d, s, width);
    const double rest = all.tokens % tokens, whole = all.tokens / tokens;
    const double of_rest = rest > 0 ? rest * rest * share_of_scores(d, rest, rest) : 0;
    return (whole * width * width * share_of_scores(d, width, width) + of_rest) / (s * s);
}

double density_variation(int tokens, bool chunks, const Sequence& all) {
    const Documents& d = all.documents;
    if (!d.apart()) return 0;
    const double s = all.tokens, width = tokens > 0 ? std::min<double>(tokens, s) : s;
    const double part = chunks ? width : s;   // chunks vary each by itself
    const double mean = share_of_scores(d, part, width), whole = without_documents(part, width);
    const double variance =
        variance_of_short(d, part, width) + variance_of_long(1 - mean / whole, part, width) * std::pow(whole / mean, 2);
    return std::sqrt(variance * part / s);
}

}  // namespace plimsoll
