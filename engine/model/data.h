#pragma once
// What the model is trained on: token sequences that depend on the seed, the step
// and the number of the sample in the global batch alone, so that every layout
// trains on the same data.
//
//   Expected<Data, std::string> data = Data::open(options);
//   data->sample(step, number, ids);        // T + 1 tokens
//   data->floor()                           // the loss nobody can get below, where that is known
//
// synthetic: an order-2 Markov chain over 16 symbols, each context with three
// possible successors; endless, so nothing can be learnt by heart. text: windows
// of a book, byte by byte. Tokens are spread over the vocabulary, so that a large
// head costs what it would.

#include "core/values/basics/expected.h"
#include "engine/model/parameters.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll::engine {

// A file that comes with the engine: in the shared data of an installation, beside the sources while developing.
std::filesystem::path bundled(const char* name);

class Data {
public:
    static Expected<Data, std::string> open(const Options&);

    // The batch of a step has `batch` samples; ids.size() is the sequence length + 1.
    void sample(int step, int number, std::span<std::int32_t> ids) const;
    std::optional<double> floor() const;  // nats per token

private:
    void draw_chain(std::uint64_t stream, std::span<std::int32_t> ids) const;
    void make_chain();

    static constexpr int symbols = 16;
    static constexpr std::array<double, 3> odds{0.7, 0.2, 0.1};
    std::uint64_t seed_ = 0;
    int batch_ = 1, sequence_ = 1, spread_ = 1;
    std::array<std::array<int, 3>, symbols * symbols> successors_{};
    std::string text_;
    std::vector<std::int32_t> rows_;  // tokens of a file: [samples, sequence + 1]
};

}  // namespace plimsoll::engine
