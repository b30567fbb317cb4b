#include "engine/model/tensor_file.h"

#include "core/files/text/disk.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <limits>

namespace plimsoll::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they lie in memory");

constexpr std::string_view magic = "PLTENSOR";
constexpr std::uint32_t version = 1, most_name = 256;

template <class T> bool get(std::istream& in, T& value) {
    return bool(in.read(reinterpret_cast<char*>(&value), sizeof value));
}
template <class T> void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

Unexpected<std::string> refuse(const std::filesystem::path& file, const std::string& why) {
    return Unexpected{file.string() + ": " + why};
}

// What keeps an entry's size from being believed, given how many bytes the file has left; empty: nothing.
std::string objection(const TensorFile::Entry& e, std::int64_t left) {
    const auto size = std::int64_t(e.stored);
    if (e.stored != Stored::f32 && e.stored != Stored::f64)
        return "elements of " + std::to_string(size) + " bytes; only 4 and 8 are known";
    if (e.rows < 0 || e.cols < 0 || (e.cols > 0 && e.rows > std::numeric_limits<std::int64_t>::max() / e.cols / size))
        return "impossible shape " + std::to_string(e.rows) + " x " + std::to_string(e.cols);
    if (e.rows * e.cols * size > left) return "the file ends inside it";
    return "";
}

// The header of one tensor, the stream left at its first element.
bool get_entry(std::istream& in, TensorFile::Entry& e) {
    std::uint32_t length = 0, stored = 0;
    if (!get(in, length) || length > most_name) return false;
    e.name.resize(length);
    if (!in.read(e.name.data(), length) || !get(in, stored) || !get(in, e.rows) || !get(in, e.cols)) return false;
    e.stored = Stored(stored);
    e.offset = in.tellg();
    return true;
}

template <class T> bool get_elements(std::istream& in, std::vector<double>& values) {
    std::vector<T> raw(values.size());
    if (!in.read(reinterpret_cast<char*>(raw.data()), std::streamsize(raw.size() * sizeof(T)))) return false;
    std::copy(raw.begin(), raw.end(), values.begin());
    return true;
}

void put_tensor(std::string& out, const Tensor& t, Stored stored) {
    put(out, std::uint32_t(t.name.size()));
    out += t.name;
    put(out, std::uint32_t(stored));
    put(out, t.rows);
    put(out, t.cols);
    for (const double value : t.values)
        if (stored == Stored::f32) put(out, float(value));
        else put(out, value);
}

}  // namespace

Expected<TensorFile, std::string> TensorFile::open(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))   // a pipe would be waited for without end
        return refuse(path, error ? "cannot be opened: " + error.message() : "is not a regular file");
    const auto bytes = std::int64_t(std::filesystem::file_size(path, error));
    std::ifstream in(path, std::ios::binary);
    if (error || !in) return refuse(path, "cannot be opened");
    std::string start(magic.size(), '\0');
    std::uint32_t found_version = 0, count = 0;
    if (!in.read(start.data(), std::streamsize(start.size())) || start != magic || !get(in, found_version)
        || !get(in, count))
        return refuse(path, "is not a tensor file");
    if (found_version != version)
        return refuse(
            path, "has version " + std::to_string(found_version) + "; this program reads " + std::to_string(version));
    TensorFile file;
    file.path_ = path;
    for (std::uint32_t i = 0; i < count; ++i) {
        Entry e;
        if (!get_entry(in, e))
            return refuse(path, "has no readable tensor " + std::to_string(i) + " of " + std::to_string(count));
        if (const auto why = objection(e, bytes - e.offset); !why.empty())
            return refuse(path, "tensor " + e.name + ": " + why);
        if (file.find(e.name)) return refuse(path, "names " + e.name + " twice");
        in.seekg(e.offset + e.rows * e.cols * std::int64_t(e.stored));
        file.entries_.push_back(std::move(e));
    }
    return file;
}

const TensorFile::Entry* TensorFile::find(std::string_view name) const {
    const auto at = std::ranges::find(entries_, name, &Entry::name);
    return at == entries_.end() ? nullptr : &*at;
}

Expected<std::vector<double>, std::string> TensorFile::read(std::string_view name) const {
    const Entry* e = find(name);
    if (!e) return refuse(path_, std::string("holds no tensor named ").append(name));
    std::vector<double> values(std::size_t(e->rows * e->cols));
    std::ifstream in(path_, std::ios::binary);
    in.seekg(e->offset);
    if (!(e->stored == Stored::f32 ? get_elements<float>(in, values) : get_elements<double>(in, values)))
        return refuse(path_, "tensor " + e->name + " cannot be read");
    return values;
}

Expected<std::vector<double>, std::string> TensorFile::read(std::string_view name, std::int64_t rows,
                                                            std::int64_t cols) const {
    const Entry* e = find(name);
    const auto shape = [](std::int64_t r, std::int64_t c) { return std::to_string(r) + " x " + std::to_string(c); };
    if (e && (e->rows != rows || e->cols != cols))
        return refuse(path_,
                      "tensor " + e->name + " is " + shape(e->rows, e->cols) + ", expected " + shape(rows, cols));
    return read(name);
}

Expected<bool, std::string> write_tensors(const std::filesystem::path& path, std::span<const Tensor> tensors,
                                          Stored stored) {
    std::string out(magic);
    put(out, version);
    put(out, std::uint32_t(tensors.size()));
    for (const Tensor& t : tensors) put_tensor(out, t, stored);
    if (const auto written = write_atomically(path, out); !written) return Unexpected{say(written.error())};
    return true;
}

}  // namespace plimsoll::engine
