#include "engine/model/data.h"

#include "engine/model/random.h"
#include "engine/model/tensor_file.h"
#include "core/files/text/disk.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace plimsoll::engine {

std::filesystem::path bundled(const char* name) {
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::filesystem::path installed = here / "../share/plimsoll/engine" / name;
    return std::filesystem::exists(installed) ? installed : std::filesystem::path(PLIMSOLL_ENGINE_DATA) / name;
}

Expected<Data, std::string> Data::open(const Options& o) {
    Data d;
    d.seed_ = o.train.seed;
    d.batch_ = o.layout.batch();
    d.sequence_ = o.model.sequence;
    if (!o.train.tokens.empty()) {
        const auto file = TensorFile::open(o.train.tokens);
        if (!file) return Unexpected{file.error()};
        const auto* entry = file->find("tokens");
        if (!entry || entry->cols != d.sequence_ + 1)
            return Unexpected{o.train.tokens + ": no `tokens` with rows of " + std::to_string(d.sequence_ + 1)
                              + " ids (--sequence + 1)"};
        const auto values = file->read("tokens");
        if (!values) return Unexpected{values.error()};
        for (const double v : *values) {
            if (!(v >= 0 && v < o.model.vocabulary))
                return Unexpected{o.train.tokens + ": token " + std::to_string(v) + " is outside the vocabulary"};
            d.rows_.push_back(std::int32_t(v));
        }
        return d;
    }
    const bool text = o.train.source == SampleSource::text;
    const int kinds = text ? 256 : symbols;
    if (o.model.vocabulary < kinds)
        return Unexpected{"--vocabulary " + std::to_string(o.model.vocabulary) + ": this data has "
                          + std::to_string(kinds) + " kinds of token; the least that works is "
                          + std::to_string(kinds)};
    d.spread_ = o.model.vocabulary / kinds;
    if (!text) {
        d.make_chain();
        return d;
    }
    const std::filesystem::path path =
        o.train.text.empty() ? bundled("alice.txt") : std::filesystem::path(o.train.text);
    auto bytes = read_text(path);
    if (!bytes) return Unexpected{std::string(trimmed(say(bytes.error())))};
    d.text_ = *std::move(bytes);
    if (std::int64_t(d.text_.size()) < d.sequence_ + 2)
        return Unexpected{path.string() + ": shorter than one sequence of "
                          + std::to_string(d.sequence_ + 1) + " bytes"};
    return d;
}

void Data::sample(int step, int number, std::span<std::int32_t> ids) const {
    const auto index = std::uint64_t(step) * std::uint64_t(batch_) + std::uint64_t(number);
    if (!rows_.empty()) {
        const std::size_t row = index % (rows_.size() / ids.size());
        std::copy_n(rows_.begin() + std::ptrdiff_t(row * ids.size()), ids.size(), ids.begin());
    } else if (text_.empty()) {
        draw_chain(index, ids);
    } else {
        const auto from = std::size_t(uniform(seed_, stream_of("window"), index) * double(text_.size() - ids.size()));
        for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = std::uint8_t(text_[from + i]) * spread_;
    }
}

// Three different successors of every pair of symbols.
void Data::make_chain() {
    for (std::size_t pair = 0; pair < successors_.size(); ++pair) {
        std::array<int, symbols> order;
        for (int i = 0; i < symbols; ++i) order[std::size_t(i)] = i;
        for (std::size_t i = 0; i < odds.size(); ++i) {
            const double u = uniform(seed_, stream_of("chain"), pair * odds.size() + i);
            std::swap(order[i], order[i + std::size_t(u * double(symbols - int(i)))]);
            successors_[pair][i] = order[i];
        }
    }
}

void Data::draw_chain(std::uint64_t stream, std::span<std::int32_t> ids) const {
    constexpr std::size_t warm_up = 32;  // steps until the beginning no longer shows
    std::uint64_t draws = 0;
    const auto draw = [&] { return uniform(seed_ ^ stream_of("draw"), stream, draws++); };
    int before = int(draw() * symbols), last = int(draw() * symbols);
    for (std::size_t i = 0; i < warm_up + ids.size(); ++i) {
        const double u = draw();
        const auto& next = successors_[std::size_t(before * symbols + last)];
        before = last;
        last = next[u < odds[0] ? 0 : u < odds[0] + odds[1] ? 1 : 2];
        if (i >= warm_up) ids[i - warm_up] = last * spread_;
    }
}

// With two symbols before it a token has the entropy of `odds`; the first of a sequence has one symbol before it, and
// the entropy of the mixture over what may have come earlier, weighted by how often pairs occur.
std::optional<double> Data::floor() const {
    if (!text_.empty() || !rows_.empty()) return std::nullopt;
    std::vector<double> pairs(successors_.size(), 1.0 / double(successors_.size())), next;
    for (int round = 0; round < 2000; ++round) {
        next.assign(pairs.size(), 0);
        for (std::size_t p = 0; p < pairs.size(); ++p)
            for (std::size_t k = 0; k < odds.size(); ++k)
                next[p % symbols * symbols + std::size_t(successors_[p][k])] += pairs[p] * odds[k];
        pairs.swap(next);
    }
    double known = 0, first = 0;
    for (const double o : odds) known -= o * std::log(o);
    for (std::size_t last = 0; last < symbols; ++last) {
        std::array<double, symbols> mixture{};
        for (std::size_t before = 0; before < symbols; ++before)
            for (std::size_t k = 0; k < odds.size(); ++k)
                mixture[std::size_t(successors_[before * symbols + last][k])] +=
                    pairs[before * symbols + last] * odds[k];
        double weight = 0;
        for (const double m : mixture) weight += m;
        for (const double m : mixture)
            if (m > 0) first -= m * std::log(m / weight);
    }
    return (first + (sequence_ - 1) * known) / sequence_;
}

}  // namespace plimsoll::engine
