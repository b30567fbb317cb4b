#include "engine/bench/buffers.h"

#include "engine/model/random.h"

#include <cstring>

namespace plimsoll::engine {
namespace {

constexpr std::size_t drawn = std::size_t(1) << 17;

// Drawn once: a gigabyte of normals would take a minute.
const std::vector<double>& table() {
    static const std::vector<double> values = [] {
        std::vector<double> v(drawn);
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = normal(1, stream_of("bench"), i);
        return v;
    }();
    return values;
}

template <class T> void write(char* to, std::size_t bytes, Fill fill, std::size_t first) {
    const double* values = table().data();
    for (std::size_t i = 0; i < bytes / sizeof(T); ++i) {
        const double v = values[(first + i) % drawn];
        const T x = stored<T>(fill == Fill::square ? v * v : v);
        std::memcpy(to + i * sizeof(T), &x, sizeof(T));
    }
}

}  // namespace

void write_normals(char* to, std::size_t bytes, const Field& field, std::size_t first) {
    switch (field.type) {
    case Type::f64: return write<double>(to, bytes, field.fill, first);
    case Type::f32: return write<float>(to, bytes, field.fill, first);
    case Type::bf16: return write<bf16>(to, bytes, field.fill, first);
    case Type::byte: return write<double>(to, bytes / 8 * 8, field.fill, first);  // bits of doubles
    }
}

}  // namespace plimsoll::engine
