#include "engine/bench/collectives.h"

#include "engine/bench/suites.h"

namespace plimsoll::engine {

// Gradients go over the data ranks, long after they were written; activations over the others, just computed.
template <class Real, class Wide> std::vector<Point> collective_points(const Bench<Real, Wide>& b) {
    std::vector<Point> points;
    const BenchCache cache = b.options.bench_cache;
    for (const Dimension& d : dimensions(b.grid, b.options)) {
        const bool gradients = d.group == b.grid.data.get(),
                   cold = cache == BenchCache::cold || (cache == BenchCache::as_trained && gradients);
        for (const Verb verb : {Verb::all_reduce, Verb::reduce_scatter, Verb::all_gather, Verb::broadcast})
            for (const double bytes :
                 message_sizes(b.options.bench_own && verb == Verb::broadcast ? 0 : b.options.bench_bytes)) {
                const double spread = cold ? 2 * b.last_cache : 0;
                points.push_back(gradients ? collective_point<Wide>(b.kernels, *d.group, d.name, verb, bytes, spread)
                                           : collective_point<Real>(b.kernels, *d.group, d.name, verb, bytes, spread));
            }
    }
    return points;
}
PLIMSOLL_POINTS(collective_points);

namespace {

// pairs: stages 2j and 2j + 1 play ping-pong, and half a round counts; the last of an odd number looks on.
// shift: every stage sends to the next and receives from the one before, around the ring, all at once.
enum class Way : std::uint8_t { pairs, shift };

template <class Real> struct Exchange {
    Comm& group;
    Way way;
    std::size_t count;
    int me = group.rank(), next = (me + 1) % group.size(), previous = (me + group.size() - 1) % group.size();
    int peer() const { return way == Way::shift ? previous : me % 2 ? me - 1 : me + 1; }
    bool idle() const { return peer() >= group.size(); }

    void run(const Real* from, Real* to) const {
        if (idle()) return;
        if (way == Way::shift) {
            Request in = group.receive(to, count, type_of<Real>, previous, 1),
                    out = group.send(from, count, type_of<Real>, next, 1);
            group.wait(in);
            group.wait(out);
            return;
        }
        const auto send = [&] {
            Request r = group.send(from, count, type_of<Real>, peer(), 1);
            group.wait(r);
        };
        const auto receive = [&] {
            Request r = group.receive(to, count, type_of<Real>, peer(), 1);
            group.wait(r);
        };
        if (me % 2 == 0) {
            send();
            receive();
        } else {
            receive();
            send();
        }
    }
};

template <class Real, class Wide> Point message_point(const Bench<Real, Wide>& b, Way way, double bytes) {
    Comm& group = *b.grid.pipeline;
    const std::size_t count = std::size_t(bytes) / sizeof(Real);
    nlohmann::ordered_json parameters{
        {"way", way == Way::pairs ? "pairs" : "shift"}, {"dimension", "pipeline"}, {"ranks", group.size()}};
    return {"p2p", std::move(parameters), double(count * sizeof(Real)), 0,
            [&b, &group, way, count]() -> Expected<Work, std::string> {
                using Memory = Block<Real, Wide>;
                const auto from = std::make_shared<Memory>(b.kernels, count * sizeof(Real)),
                           to = std::make_shared<Memory>(b.kernels, count * sizeof(Real));
                if (!from->memory || !to->memory)
                    return Unexpected{"there is no room for two messages of " + std::to_string(count * sizeof(Real))
                                      + " bytes"};
                const Exchange<Real> exchange{group, way, count};
                const auto mine = Pattern<Real>::message(exchange.me, count);
                b.kernels.copy_in(from->memory, mine.data(), count * sizeof(Real));
                return Work{
                    .run = [exchange, from,
                            to](std::size_t) { exchange.run(from->template as<Real>(), to->template as<Real>()); },
                    .together = true,
                    .messages = way == Way::pairs ? 2 : 1,
                    .check =
                        [exchange, count, to] {
                            return exchange.idle() ? std::string()
                                                   : Pattern<Real>::wrong_copy(to->template read<Real>(count), 0, count,
                                                                               exchange.peer());
                        }};
            }};
}

}  // namespace

template <class Real, class Wide> std::vector<Point> message_points(const Bench<Real, Wide>& b) {
    std::vector<Point> points;
    if (b.grid.pipeline->size() < 2) return points;
    for (const Way way : {Way::pairs, Way::shift})
        for (const double bytes : message_sizes(b.options.bench_bytes)) points.push_back(message_point(b, way, bytes));
    return points;
}
PLIMSOLL_POINTS(message_points);

}  // namespace plimsoll::engine
