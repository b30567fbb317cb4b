#include "engine/bench/bench.h"

#include "engine/bench/collectives.h"
#include "engine/bench/buffers.h"
#include "engine/power/account.h"

#include <algorithm>
#include <map>
#include <thread>

namespace plimsoll::engine {
namespace {

using Json = nlohmann::ordered_json;

constexpr double shortest_s = 5, budgets = 20;

Point rest_point(const char* load) {
    return {"power", {{"load", load}}, 0, 0, []() -> Expected<Work, std::string> {
                return Work{.run = [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); },
                            .busy = false};
            }};
}

Point as_load(Point point, const char* load) {
    Json parameters{{"load", load}};
    parameters.update(point.parameters);
    point.kind = "power";
    point.parameters = std::move(parameters);
    return point;
}

// A cube of its own: a model's products may be too small to fill a device.
template <class Real, class Wide> Point product_point(const Bench<Real, Wide>& b) {
    const int side = b.options.device != Platform::cpu ? 8192 : 1024;
    const double n = side;
    const Field square{std::size_t(side) * std::size_t(side), type_of<Real>, Fill::normal};
    return {"power",
            {{"load", "gemm"}, {"m", side}, {"n", side}, {"k", side}},
            3 * n * n * sizeof(Real),
            2 * n * n * n,
            [&b, square, side] {
                return rotating(b, {square, square, square}, [&b, side](const Set& s) {
                    b.kernels.linear(s.at<Real>(0), s.at<Real>(1), s.at<Real>(2), nullptr, side, side, side);
                });
            }};
}

template <class Real, class Wide> std::vector<Point> loads(const Bench<Real, Wide>& b) {
    std::vector<Point> points{rest_point("idle"), as_load(stream_points(b).back(), "stream"), product_point(b)};
    const auto found = dimensions(b.grid, b.options);
    if (!found.empty()) {
        Dimension d = found.front();
        for (const Dimension& other : found) if (other.group == b.grid.data.get()) d = other;
        points.push_back(
            as_load(collective_point<Wide>(b.kernels, *d.group, d.name, Verb::all_reduce, b.options.bench_bytes),
                    "all_reduce"));
    }
    points.push_back(rest_point("idle_after"));
    return points;
}

Json line_of(const Point& point, const Work& work, const Sustained& sustained) {
    const power::Used& used = sustained.used;
    Json line = line_of(point, work, sustained.timing);
    line["window_s"] = used.window_s;
    line["window_calls"] = sustained.calls;
    line["nodes"] = used.nodes;
    line["J"] = used.joules ? Json(*used.joules) : Json(nullptr);
    line["W"] = used.joules ? Json(*used.joules / used.window_s) : Json(nullptr);
    if (used.joules) {
        line["scope"] = used.scope;
        line["source"] = used.sources;
    }
    else line["reason"] = used.reason;
    line["domains"] = used.domains;
    if (!used.remarks.empty()) line["remarks"] = used.remarks;
    return line;
}

std::size_t most_ranks_a_node(const std::vector<int>& nodes, int ranks) {
    std::map<int, std::size_t> counts;
    std::size_t most = 0;
    for (int r = 0; r < ranks; ++r) most = std::max(most, ++counts[nodes[std::size_t(r)]]);
    return most;
}

// Flags a line, and keeps what the machine drew at rest at first.
void judge(Json& line, Platform device, std::size_t boards, std::optional<double>& rest_W) {
    const std::string load = line["params"]["load"];
    const std::optional<double> watts = line["W"].is_number() ? std::optional(line["W"].get<double>()) : std::nullopt;
    if (load == "idle") rest_W = watts;
    if (load == "idle_after" && power::idle_of(rest_W, watts).drifted) line["flags"].push_back("idle_drift");
    if (load == "gemm" && device != Platform::cpu && !within_limits(line["domains"], boards))
        line["flags"].push_back("off_limit");
}

}  // namespace

bool within_limits(const Json& domains, std::size_t boards_in_use) {
    std::map<int, std::vector<double>> shares;  // of the limit, by node
    for (const Json& d : domains)
        if (d["limit_W"].is_number() && (d["scope"] == "gpu" || d["scope"] == "module"))
            shares[d["node"].get<int>()].push_back(d["W"].get<double>() / d["limit_W"].get<double>());
    for (auto& [node, of_node] : shares) {
        std::sort(of_node.begin(), of_node.end(), std::greater<>());
        of_node.resize(std::min(of_node.size(), boards_in_use));
        for (const double share : of_node)
            if (share < 0.5 || share > 1.1) return false;
    }
    return true;
}

template <class Real, class Wide>
PowerLines power_lines(const Bench<Real, Wide>& b, const RunPlace& place, const std::function<void()>& alive) {
    PowerLines done;
    if (!place.power || !place.power->available()) {
        place.log.warn("power_unavailable",
                       "--bench power: no source of energy can be read on every node; the energy lines say why");
        return done;
    }
    const double seconds = std::max(shortest_s, budgets * b.options.bench_seconds);
    const std::size_t boards = most_ranks_a_node(place.nodes, place.ranks.size());
    std::optional<double> rest_W;
    for (const Point& point : loads(b)) {
        const auto work = point.prepare();
        if (const auto why = first_failure(b.ranks, work ? "" : work.error(), ExitCode::device)) {
            const std::string load = point.parameters["load"];
            place.log.warn("bench_left_out", std::string("power, ").append(load).append(": ").append(why->text));
            continue;
        }
        const Sustained sustained =
            run_sustained(*work, {b.ranks, seconds, [&b] { b.kernels.synchronize(); }, alive},
                          place.ranks, *place.power);
        if ((done.stopped = sustained.timing.stopped)) return done;
        Json line = line_of(point, *work, sustained);
        judge(line, b.options.device, boards, rest_W);
        line["precision"] = name_of(b.options.precision);
        line["visit"] = 1;
        place.log.write("bench", line);
        ++done.written;
    }
    return done;
}
template PowerLines power_lines(const Bench<double, double>&, const RunPlace&, const std::function<void()>&);
template PowerLines power_lines(const Bench<float, float>&, const RunPlace&, const std::function<void()>&);
template PowerLines power_lines(const Bench<bf16, float>&, const RunPlace&, const std::function<void()>&);

}  // namespace plimsoll::engine
