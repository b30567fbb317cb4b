#include "engine/bench/buffers.h"
#include "engine/bench/measure.h"
#include "engine/bench/suites.h"

namespace plimsoll::engine {

namespace {

using Clock = std::chrono::steady_clock;
enum TimedPart : std::size_t { product, collective, product_overlapped, collective_overlapped };

}  // namespace

// A product in panels, an all-reduce, and the all-reduce with the product between its start and its end. Between panels
// the library is asked how far it is: without that, many move nothing.
template <class Real, class Wide> struct OverlapRun {
    static constexpr int panels = 8;
    const Bench<Real, Wide>& b;
    Comm& group;
    std::size_t count;
    std::shared_ptr<BufferRing<Real, Wide>> ring;
    int rows, n = b.shape.up_width(), k = b.shape.width;
    PairedTimes paired{};

    void panel(const Set& s, int i) const {
        b.kernels.linear(s.at<Real>(0) + std::size_t(i) * std::size_t(rows) * std::size_t(n),
                         s.at<Real>(1) + std::size_t(i) * std::size_t(rows) * std::size_t(k), s.at<Real>(2), nullptr,
                         rows, n, k);
    }
    void alone(std::size_t call) {
        const Set s = (*ring)[call];
        b.ranks.barrier();
        paired.time(product, [&] {
            for (int i = 0; i < panels; ++i) panel(s, i);
            b.kernels.synchronize();
        });
        b.ranks.barrier();
        paired.time(collective, [&] {
            Request r = group.start(Collective::all_reduce, nullptr, s.at<Wide>(3), count, type_of<Wide>);
            group.wait(r);
            b.kernels.synchronize();
        });
        b.kernels.zero(s.at<Wide>(3), count * sizeof(Wide));  // sums of sums of sums would overflow
    }
    void both(std::size_t call) {
        const Set s = (*ring)[call];
        const auto began = Clock::now();
        const auto since = [](Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); };
        double computing = 0, ended = 0;
        Request r = group.start(Collective::all_reduce, nullptr, s.at<Wide>(3), count, type_of<Wide>);
        for (int i = 0; i < panels; ++i) {
            const auto t = Clock::now();
            panel(s, i);
            computing += since(t);
            if (ended == 0 && group.test(r)) ended = since(began);
        }
        group.wait(r);
        b.kernels.synchronize();
        paired.add(product_overlapped, computing);
        paired.add(collective_overlapped, ended > 0 ? ended : since(began));
    }
    // omega: the share of the shorter one that was hidden; gammas: how much slower each became. When the collective was
    // done is only seen between panels, so its gamma is an upper bound; a device's queue tells neither.
    void add_results(nlohmann::ordered_json& line, const Timing& t) {
        const std::size_t kept = t.seconds.size();
        const double c = paired.median(product, kept, b.ranks), n_ = paired.median(collective, kept, b.ranks),
                     together = line["median_s"];
        line["product_s"] = c;
        line["collective_s"] = n_;
        line["omega"] = (c + n_ - together) / std::min(c, n_);
        if (b.options.device != Platform::cpu) return;
        line["gamma_product"] = paired.median(product_overlapped, kept, b.ranks) / c;
        line["gamma_collective_most"] = paired.median(collective_overlapped, kept, b.ranks) / n_;
    }
};

template <class Real, class Wide> std::vector<Point> overlap_points(const Bench<Real, Wide>& b) {
    std::vector<Point> points;
    const auto found = dimensions(b.grid, b.options);
    if (found.empty()) return points;
    Dimension d = found.front();
    for (const Dimension& other : found) if (other.group == b.grid.data.get()) d = other;
    const int rows = std::max(1, b.options.layout.micro_batch * b.shape.sequence / OverlapRun<Real, Wide>::panels);
    for (const double share : {64.0, 16.0, 4.0}) {
        const std::size_t count = std::max<std::size_t>(1, std::size_t(b.options.bench_bytes / share / sizeof(Wide)));
        const std::size_t all = std::size_t(rows) * OverlapRun<Real, Wide>::panels, n = std::size_t(b.shape.up_width()),
                          k = std::size_t(b.shape.width);
        const std::vector<Field> fields{{all * n, type_of<Real>},
                                        {all * k, type_of<Real>, Fill::normal},
                                        {n * k, type_of<Real>, Fill::normal},
                                        {count, type_of<Wide>}};
        points.push_back({"overlap",
                          {{"dimension", d.name},
                           {"ranks", d.group->size()},
                           {"rows", all},
                           {"panels", OverlapRun<Real, Wide>::panels}},
                          double(count * sizeof(Wide)),
                          2.0 * double(all * n * k),
                          [&b, d, count, rows, fields]() -> Expected<Work, std::string> {
                              auto ring = BufferRing<Real, Wide>::make(b, fields, 2 * b.last_cache);
                              if (!ring) return Unexpected{no_room(b.memory)};
                              const std::shared_ptr<OverlapRun<Real, Wide>> overlap_run(
                                  new OverlapRun<Real, Wide>{b, *d.group, count, ring, rows});
                              return Work{
                                  .run = [overlap_run](std::size_t i) { overlap_run->both(i); },
                                  .before = [overlap_run](std::size_t i) { overlap_run->alone(i); },
                                  .together = true,
                                  .finish = [overlap_run](nlohmann::ordered_json& line,
                                                          const Timing& t) { overlap_run->add_results(line, t); },
                                  .cached = ring->is_short()};
                          }});
    }
    return points;
}
PLIMSOLL_POINTS(overlap_points);

}  // namespace plimsoll::engine
