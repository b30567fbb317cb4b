#include "core/values/plan/documents.h"

#include "core/values/basics/normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

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

// Of one row with the lengths of the logarithms' normal distribution.
struct LogNormal {
    double middle, width;
    explicit LogNormal(const Documents& d)
        : middle(std::log(d.length) - std::log1p(d.variation * d.variation) / 2),
          width(std::sqrt(std::log1p(d.variation * d.variation))) {}
    double at(double deviations) const { return std::exp(middle + width * deviations); }
    double deviations(double length) const { return (std::log(length) - middle) / width; }
};

// Lengths of rows that differ and their weights, by Simpson's rule over deviations, so that what is cut off keeps its
// exact share.
struct RowPoints {
    static constexpr int steps = 128;
    Documents documents;
    int longest_of = 0, cut = 0;
    double within = 0, all = 0;   // share of rows below the cut; sum of the weights
    std::array<double, steps + 1> weight{}, row{};

    explicit RowPoints(const Sequence& of) : documents(of.documents), longest_of(of.longest_of), cut(of.cut) {
        constexpr double farthest = 9;   // deviations; beyond lies less than any double shows
        const LogNormal lengths(documents);
        const double n = longest_of, end = std::min(farthest, lengths.deviations(cut));
        within = end <= -farthest ? 0 : std::pow(normal_share(end), n);
        if (within <= 0) return;
        for (int i = 0; i <= steps; ++i) {
            const double z = -farthest + (end + farthest) * i / steps;
            weight[i] = (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * std::exp(-z * z / 2)
                      * std::pow(normal_share(z), n - 1);
            row[i] = std::min<double>(cut, lengths.at(z));
            all += weight[i];
        }
    }
    bool are_of(const Sequence& rows) const {
        return documents == rows.documents && longest_of == rows.longest_of && cut == rows.cut;
    }
};

// Kept of the last few: a search asks for the rows of a handful of micro-batches, a million times.
const RowPoints& points_of(const Sequence& rows) {
    constexpr std::size_t most = 8;
    thread_local std::vector<RowPoints> kept;
    thread_local std::size_t oldest = 0;
    for (const RowPoints& each : kept)
        if (each.are_of(rows)) return each;
    if (kept.size() < most) {
        kept.reserve(most);
        return kept.emplace_back(rows);
    }
    return kept[oldest++ % most] = RowPoints(rows);
}

// Mean of g over rows that differ.
template <class Of>
double mean_of_rows(const Sequence& rows, Of g) {
    const RowPoints& at = points_of(rows);
    const double longest = g(double(rows.cut));
    if (at.within <= 0 || at.all <= 0) return longest;
    double sum = 0;
    for (int i = 0; i <= RowPoints::steps; ++i) sum += at.weight[i] * g(at.row[i]);
    return at.within * (sum / at.all) + (1 - at.within) * longest;
}

// Standard deviation of g over its mean, of one of the rows that are padded together and so are as long.
template <class Of>
double variation_of_rows(const Sequence& rows, Of g) {
    const double mean = mean_of_rows(rows, g);
    const double square = mean_of_rows(rows, [&](double row) { return g(row) * g(row); });
    return std::sqrt(std::max(0.0, square / (mean * mean) - 1) * rows.longest_of);
}

// Pairs of a query and a key before it in a row, twice.
double scores_of_row(double row, double width, bool chunks) {
    if (width <= 0 || width >= row) return row * row;
    if (!chunks) return width * (2 * row - width);
    const double whole = std::floor(row / width), rest = row - whole * width;
    return whole * width * width + rest * rest;
}

double cut_mean(const Documents& d, double cut) {
    const Moments in = moments(d, cut);
    return std::min(cut, in[1] + cut * std::max(0.0, 1 - in[0]));
}

Sequence rows_of_longest(const Filling& f, int documents) {
    const double mean = cut_mean(f.documents, f.length);
    if (f.documents.variation <= 0) return mean;   // all as long
    Sequence rows{mean, f.documents, documents, f.length};
    if (documents > 1) rows.tokens = mean_of_rows(rows, [](double row) { return row; });
    return rows;
}

}  // namespace

Sequence worked_rows(const Filling& f, int micro_batch) {
    if (f.whole()) return {double(f.length), f.documents};
    if (f.rows == RowKind::padded) return f.length;
    return rows_of_longest(f, f.rows == RowKind::padded_to_longest ? std::max(1, micro_batch) : 1);
}

Sequence counted_rows(const Filling& f) {
    return f.whole() ? Sequence{double(f.length), f.documents} : rows_of_longest(f, 1);
}

Sequence longest_rows(const Filling& f, int micro_batch, double documents) {
    const Sequence worked = worked_rows(f, micro_batch);
    if (worked.longest_of == 0) return worked;
    const double together = std::max(1, micro_batch), cut = f.length;
    const double longest = std::min(cut, LogNormal(f.documents).at(largest_of(documents)));
    if (f.rows == RowKind::padded_to_longest) return std::max(worked.tokens, longest);
    const double square = mean_of_rows(worked, [](double row) { return row * row; });
    const double deviation = std::sqrt(std::max(0.0, square - worked.tokens * worked.tokens));
    const double by_one = (longest - worked.tokens) / together;
    const double by_all = largest_of(documents / together) * deviation / std::sqrt(together);
    return std::clamp(worked.tokens + std::max(by_one, by_all), worked.tokens, cut);
}

double window_density(int tokens, bool chunks, const Sequence& all) {
    if (all.longest_of > 0)
        return mean_of_rows(all, [&](double row) { return scores_of_row(row, tokens, chunks); })
             / (all.tokens * all.tokens);
    const double s = all.tokens, width = tokens > 0 ? std::min<double>(tokens, s) : s;
    const Documents& d = all.documents;
    if (!d.apart()) {
        if (tokens <= 0 || tokens >= all.tokens) return 1;
        if (!chunks) return width * (2 * s - width) / (s * s);
        return scores_of_row(s, width, true) / (s * s);
    }
    if (!chunks || width >= s) return share_of_scores(d, s, width);
    const double whole = std::floor(s / tokens), rest = s - whole * tokens;
    const double of_rest = rest > 0 ? rest * rest * share_of_scores(d, rest, rest) : 0;
    return (whole * width * width * share_of_scores(d, width, width) + of_rest) / (s * s);
}

double row_variation(const Sequence& all) {
    return all.longest_of > 0 ? variation_of_rows(all, [](double row) { return row; }) : 0;
}

double density_variation(int tokens, bool chunks, const Sequence& all) {
    const Documents& d = all.documents;
    if (!d.apart()) return 0;
    if (all.longest_of > 0)
        return variation_of_rows(all, [&](double row) { return scores_of_row(row, tokens, chunks); });
    const double s = all.tokens, width = tokens > 0 ? std::min<double>(tokens, s) : s;
    const double part = chunks ? width : s;   // chunks vary each by itself
    const double mean = share_of_scores(d, part, width), whole = without_documents(part, width);
    const double variance =
        variance_of_short(d, part, width) + variance_of_long(1 - mean / whole, part, width) * std::pow(whole / mean, 2);
    return std::sqrt(variance * part / s);
}

}  // namespace plimsoll
