#include "engine/bench/beside.h"
#include "engine/bench/ring.h"
#include "engine/bench/suites.h"
#include "engine/model/random.h"
#include "engine/train/run.h"
#include "engine/train/trainer.h"

namespace plimsoll::engine {
namespace {

constexpr int tokens = 16, shallow = 2, deep = 8;

Options small(Options o, int layers) {
    o.layout = {}, o.layout.micro_batch = 1;
    o.model.layers = layers, o.model.sequence = tokens;
    o.train = {};
    return o;
}

// A trainer of one rank with its memory. It refers to its own members: it stays where it is.
template <class Real, class Wide> struct Miniature {
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

    Miniature(const Options& o, int layers, Kernels<Real, Wide>& k) : options(small(o, layers)), kernels(k) {
        if (!memory) return;
        trainer = std::make_unique<Trainer<Real, Wide>>(options, shape, grid, kernels, clock, arena);
        trainer->states().initialise([](const Parameter& p, int row, std::span<double> values) { initial_values(p, 1, row, values); });
        for (int i = 0; i < 2 * tokens; ++i) batch.push_back(std::int32_t(random_bits(1, stream_of("launch"), std::uint64_t(i))[0] % std::uint32_t(shape.vocabulary)));
    }
    ~Miniature() {
        trainer.reset();
        kernels.release(memory);
    }
    Miniature(const Miniature&) = delete;
    Miniature& operator=(const Miniature&) = delete;
    void step() { trainer->step(steps++, batch, false), kernels.synchronize(); }
};

}  // namespace

// A layer's time from two depths: ends, update of the ends and the start of a step cancel (Miao et al. 2023, Galvatron).
// With 16 tokens next to none of it is arithmetic.
template <class Real, class Wide> std::vector<Point> launch_points(const Bench<Real, Wide>& b) {
    return {{"launch", {{"tokens", tokens}, {"layers", {shallow, deep}}}, 0, 0, [&b]() -> Expected<Work, std::string> {
        using Small = Miniature<Real, Wide>;
        const auto low = std::make_shared<Small>(b.options, shallow, b.kernels), high = std::make_shared<Small>(b.options, deep, b.kernels);
        if (!low->trainer || !high->trainer) return Unexpected(no_room(double(low->bytes + high->bytes)));
        const auto beside = std::make_shared<Beside>();
        return Work{.run = [high](std::size_t) { high->step(); },
                    .before = [low, beside](std::size_t) { beside->take(0, [&] { low->step(); }); },
                    .finish = [beside, &b](nlohmann::ordered_json& line, const Timing& t) {
                        const double less = beside->median(0, t.seconds.size(), b.ranks);
                        line["shallow_s"] = less, line["per_layer_s"] = (line["median_s"].get<double>() - less) / (deep - shallow);
                    }};
    }}};
}
PLIMSOLL_POINTS(launch_points);

}  // namespace plimsoll::engine
