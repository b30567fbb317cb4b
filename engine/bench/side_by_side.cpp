#include "engine/bench/buffers.h"
#include "engine/bench/measure.h"
#include "engine/bench/suites.h"
#include "engine/model/random.h"
#include "engine/train/run.h"
#include "engine/train/trainer.h"

namespace plimsoll::engine {

namespace {

constexpr int tokens = 16, shallow = 2, deep = 8;

Options small(Options o, int layers) {
    o.layout = {};
    o.layout.micro_batch = 1;
    o.model.layers = layers;
    o.model.sequence = tokens;
    o.train = {};
    return o;
}

}  // namespace

// A trainer of one rank with its memory. It refers to its own members: it stays where it is.
template <class Real, class Wide> struct SmallTrainer {
    const Options options;
    const Shape shape = shape_of(options.model);
    Kernels<Real, Wide>& kernels;
    Grid grid = pretended_grid(0, options.layout);
    PhaseClock clock{};
    const std::size_t bytes = predict_memory(options, 0).total;
    void* memory = kernels.allocate(bytes);
    Arena arena{memory, bytes};
    std::unique_ptr<Trainer<Real, Wide>> trainer;
    std::vector<std::int32_t> batch;
    int steps = 0;

    SmallTrainer(const Options& o, int layers, Kernels<Real, Wide>& k) : options(small(o, layers)), kernels(k) {
        if (!memory) return;
        trainer = std::make_unique<Trainer<Real, Wide>>(options, shape, grid, kernels, clock, arena);
        trainer->states().initialise(
            [](const Parameter& p, int row, std::span<double> values) { initial_values(p, 1, row, values); });
        for (int i = 0; i < 2 * tokens; ++i)
            batch.push_back(std::int32_t(random_bits(1, stream_of("launch"), std::uint64_t(i))[0]
                                         % std::uint32_t(shape.vocabulary)));
    }
    ~SmallTrainer() {
        trainer.reset();
        kernels.release(memory);
    }
    SmallTrainer(const SmallTrainer&) = delete;
    SmallTrainer& operator=(const SmallTrainer&) = delete;
    void step() {
        trainer->step(steps++, batch, false);
        kernels.synchronize();
    }
};

// A layer's time from two depths: ends, update of the ends and the start of a step cancel (Miao et al. 2023,
// Galvatron). With 16 tokens next to none of it is arithmetic.
template <class Real, class Wide> std::vector<Point> launch_points(const Bench<Real, Wide>& b) {
    return {{"launch", {{"tokens", tokens}, {"layers", {shallow, deep}}}, 0, 0, [&b]() -> Expected<Work, std::string> {
        using Small = SmallTrainer<Real, Wide>;
        const auto low = std::make_shared<Small>(b.options, shallow, b.kernels),
                   high = std::make_shared<Small>(b.options, deep, b.kernels);
        if (!low->trainer || !high->trainer) return Unexpected{no_room(double(low->bytes + high->bytes))};
        const auto paired = std::make_shared<PairedTimes>();
        return Work{.run = [high](std::size_t) { high->step(); },
                    .before = [low, paired](std::size_t) { paired->time(0, [&] { low->step(); }); },
                    .finish = [paired, &b](nlohmann::ordered_json& line, const Timing& t) {
                        const double less = paired->median(0, t.seconds.size(), b.ranks);
                        line["shallow_s"] = less;
                        line["per_layer_s"] = (line["median_s"].get<double>() - less) / (deep - shallow);
                    }};
    }}};
}
PLIMSOLL_POINTS(launch_points);

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
        if (b.options.device != Device::cpu) return;
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
