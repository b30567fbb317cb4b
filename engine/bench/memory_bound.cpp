#include "engine/bench/buffers.h"
#include "engine/bench/suites.h"

#include <cmath>

namespace plimsoll::engine {

// STREAM's "add" (McCalpin 1995) by the trainer's own residual kernel: as many bytes as its triad, and no kernel of
// ours multiplies. The working set is walked through again and again, so that small ones show the caches.
template <class Real, class Wide> std::vector<Point> stream_points(const Bench<Real, Wide>& b) {
    constexpr int width = 1024, sizes = 6;
    const double least = b.second_cache / 4, most = std::min({8 * b.last_cache, 4 * b.options.bench_bytes, b.memory});
    std::vector<Point> points;
    for (int i = 0; i < sizes; ++i) {
        const double wanted = least * std::pow(std::max(1.0, most / least), double(i) / (sizes - 1));
        const int rows = std::max(1, int(wanted / (3.0 * width * sizeof(Real))));
        const Field array{std::size_t(rows) * width, type_of<Real>, Fill::normal};
        const double bytes = 3.0 * rows * width * sizeof(Real);
        points.push_back({"stream",
                          {{"operation", "add"}, {"working_set_B", bytes}},
                          bytes,
                          0,
                          [&b, array, rows]() -> Expected<Work, std::string> {
                              const auto ring = BufferRing<Real, Wide>::make(b, {array, array, array}, 0);
                              if (!ring) return Unexpected{no_room(b.memory)};
                              return Work{.run = [&b, ring, rows](std::size_t) {
                                  const Set s = (*ring)[0];
                                  b.kernels.add_residual(s.at<Real>(0), s.at<Real>(1), s.at<Real>(2), nullptr, rows,
                                                         width);
                              }};
                          }});
    }
    return points;
}

template <class Real, class Wide> std::vector<Point> adamw_points(const Bench<Real, Wide>& b) {
    constexpr bool own_master = !std::is_same_v<Real, Wide>;
    // read: gradient, weight, two moments; written: weight, two moments; and the weight in Real
    constexpr double bytes_each = 7.0 * sizeof(Wide) + (own_master ? sizeof(Real) : 0);
    std::vector<Point> points;
    for (const double share : {64.0, 8.0, 1.0}) {
        const std::size_t n = std::max<std::size_t>(1024, std::size_t(b.options.bench_bytes / 4 / share));
        const Field values{n, type_of<Wide>, Fill::normal}, squares{n, type_of<Wide>, Fill::square},
            copy{own_master ? n : 1, type_of<Real>};
        points.push_back({"adamw", {{"parameters", n}}, bytes_each * double(n), 0, [&b, n, values, squares, copy] {
            return rotating(b, {values, values, values, squares, copy}, [&b, n](const Set& s) {
                const AdamW step{.rate = 1e-6, .correction1 = 0.5, .correction2 = 0.5, .gradient_scale = 1};
                Real* weights;
                if constexpr (own_master) weights = s.at<Real>(4);
                else weights = s.at<Real>(0);
                b.kernels.adamw(weights, s.at<Wide>(0), s.at<Wide>(1), s.at<Wide>(2), s.at<Wide>(3), n, step);
            });
        }});
    }
    return points;
}

// From and to memory that the device may reach itself, as software that offloads keeps it: of other memory the driver
// copies through a small page-locked buffer of its own, at a quarter of the rate.
template <class Real, class Wide> std::vector<Point> host_link_points(const Bench<Real, Wide>& b) {
    const char* memory = b.options.device == Platform::cpu ? "pageable" : "page_locked";
    std::vector<Point> points;
    for (const double bytes : message_sizes(b.options.bench_bytes)) {
        if (bytes < 16384) continue;
        for (const bool in : {true, false})
            points.push_back({"hostlink",
                              {{"direction", in ? "to_device" : "to_host"}, {"memory", memory}},
                              bytes,
                              0,
                              [&b, count = std::size_t(bytes), in]() -> Expected<Work, std::string> {
                const std::shared_ptr<void> host(b.kernels.allocate_host(count),
                                                 [&b](void* p) { b.kernels.release_host(p); });
                if (!host) return Unexpected{no_room(double(count))};
                write_normals(static_cast<char*>(host.get()), count, {1, Type::byte, Fill::normal}, 0);
                return rotating(b, {{count, Type::byte, Fill::normal}}, [&b, host, count, in](const Set& s) {
                    if (in) b.kernels.copy_in(s.at<char>(0), host.get(), count);
                    else b.kernels.copy_out(host.get(), s.at<char>(0), count);
                });
            }});
    }
    return points;
}

PLIMSOLL_POINTS(stream_points);
PLIMSOLL_POINTS(adamw_points);
PLIMSOLL_POINTS(host_link_points);

}  // namespace plimsoll::engine
