#pragma once
// Named matrices in one file: weights to begin with, tokens to train on, and the
// gradients and weights of a run, per logical tensor, whatever the layout was.
//
// Little-endian and unpadded. Begins with the eight bytes "PLTENSOR", then two
// 32-bit integers: version (1) and number of tensors. Each tensor is the 32-bit
// length of its name, the name, the 32-bit size of an element (4: float, 8: double),
// rows and columns as 64-bit integers, and the elements row by row.
//
// Names. Weights are [out, in] (y = x W^T), vectors one row:
//   wte wpe head.weight lnf.gain lnf.bias; for layer 0: h.0.ln1.gain h.0.ln1.bias h.0.q.weight
//   h.0.q.bias (likewise k, v, o, up, down; llama: gate) h.0.ln2.gain h.0.ln2.bias
// `tokens` holds samples of T + 1 ids, one a row: sample b of step s is row (s batch + b) modulo the rows.
// A dump puts `gradient:` and `weight:` before the names, and adds `loss`: one column a step.
//
//   auto file = TensorFile::open(path);                          if (!file) say(file.error());
//   auto weight = file->read("h.0.q.weight", width, width);      if (!weight) say(weight.error());
//   auto written = write_tensors(path, tensors, Stored::f64);    if (!written) say(written.error());

#include "core/values/basics/expected.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::engine {

enum class Stored : std::uint32_t { f32 = 4, f64 = 8 };  // bytes of an element

struct Tensor {
    std::string name;
    std::int64_t rows = 1, cols = 0;
    std::vector<double> values;  // rows * cols, row by row
};

// Its directory is in memory; elements are read when asked for, so that a large file costs one tensor at a time.
class TensorFile {
public:
    struct Entry {
        std::string name;
        Stored stored;
        std::int64_t rows, cols;
        std::int64_t offset;  // of the first element, in bytes
    };

    // Refuses what is no such file, is cut short, or names a tensor twice; the message says where.
    static Expected<TensorFile, std::string> open(const std::filesystem::path&);

    const std::vector<Entry>& entries() const { return entries_; }
    const Entry* find(std::string_view name) const;  // null: there is none

    Expected<std::vector<double>, std::string> read(std::string_view name) const;
    // The same, refused unless the tensor has this shape.
    Expected<std::vector<double>, std::string> read(std::string_view name, std::int64_t rows, std::int64_t cols) const;

private:
    std::filesystem::path path_;
    std::vector<Entry> entries_;
};

// Whole or not at all: the file appears under its name when everything is on disk.
Expected<bool, std::string> write_tensors(const std::filesystem::path&, std::span<const Tensor>, Stored);

}  // namespace plimsoll::engine
