#include "engine/comm/coded.h"

#include <algorithm>

namespace plimsoll::engine {
namespace {

constexpr int exchange_tag = 32000;  // MPI allows every tag up to 32767

template <class F> void typed(Type t, F f) { t == Type::f64 ? f(double()) : f(float()); }

template <class T> T* room(std::vector<std::byte>& bytes, std::size_t count) {
    if (bytes.size() < count * sizeof(T)) bytes.resize(count * sizeof(T));
    return reinterpret_cast<T*>(bytes.data());
}

// Elements of part i of a vector that is cut into parts of this size.
std::size_t in_part(std::size_t count, std::size_t part, int i) {
    return std::min(part, count - std::min(count, std::size_t(i) * part));
}

}  // namespace

bool CodedComm::encodes(std::size_t count, Type t) const {
    return (t == Type::f32 || t == Type::f64) && count * size_of(t) >= least_bytes;
}

// What encoding the parts of a vector saved.
template <class T> void CodedComm::note(std::size_t count, std::size_t part) {
    saved_ += double(count * sizeof(T));
    for (int i = 0; i < size(); ++i) saved_ -= double(encoded_bytes<T>(codec_, in_part(count, part, i)));
}

template <class T> T* CodedComm::residual(std::size_t count) {
    if (!feedback_) return nullptr;
    if (calls_ == residuals_.size()) residuals_.emplace_back();
    Bytes& r = residuals_[calls_++];
    if (r.size() != count * sizeof(T)) r.assign(count * sizeof(T), std::byte{});
    return reinterpret_cast<T*>(r.data());
}

// Encodes x and what was left out the last time; leaves in the residual what is left out now.
template <class T> void CodedComm::encode_sum(const T* x, std::size_t count, T* residual, std::byte* out) {
    if (!residual) return encode(codec_, x, count, out);
    for (std::size_t i = 0; i < count; ++i) residual[i] += x[i];
    encode(codec_, residual, count, out);
    T* const sent = room<T>(decoded_, count);
    decode(codec_, out, count, sent);
    for (std::size_t i = 0; i < count; ++i) residual[i] -= sent[i];
}

// Part i of out_ to rank i, its part of mine to in_.
void CodedComm::exchange(std::size_t bytes) {
    std::vector<Request> requests;
    for (int other = 0; other < size(); ++other) {
        if (other == rank()) continue;
        const std::size_t at = std::size_t(other) * bytes;
        requests.push_back(inner_->receive(in_.data() + at, bytes, Type::byte, other, exchange_tag));
        requests.push_back(inner_->send(out_.data() + at, bytes, Type::byte, other, exchange_tag));
    }
    const std::size_t own = std::size_t(rank()) * bytes;
    std::copy_n(out_.data() + own, bytes, in_.data() + own);
    for (Request& r : requests) inner_->wait(r);
}

// This rank's part of the sum over ranks of x [count], each rank's contribution encoded, this one's too.
template <class T> const T* CodedComm::sum_of_parts(const T* x, std::size_t count, std::size_t part) {
    const std::size_t bytes = encoded_bytes<T>(codec_, part), parts = std::size_t(size());
    room<std::byte>(out_, parts * bytes);
    room<std::byte>(in_, parts * bytes);
    T* const left = residual<T>(count);
    for (int i = 0; i < size(); ++i) {
        const std::size_t at = std::min(count, std::size_t(i) * part);
        encode_sum(x + at, in_part(count, part, i), left ? left + at : nullptr, out_.data() + std::size_t(i) * bytes);
    }
    exchange(bytes);
    const std::size_t own = in_part(count, part, rank());
    T *const sum = room<T>(sum_, part), *const one = room<T>(decoded_, part);
    for (int i = 0; i < size(); ++i) {
        decode(codec_, in_.data() + std::size_t(i) * bytes, own, i == 0 ? sum : one);
        if (i > 0) for (std::size_t k = 0; k < own; ++k) sum[k] += one[k];
    }
    return sum;
}

// to [count]: everyone's part as decoded, but for this rank's own where it is to be kept.
template <class T>
void CodedComm::gather(const T* own, T* residual, T* to, std::size_t count, std::size_t part, bool keep_own) {
    const std::size_t bytes = encoded_bytes<T>(codec_, part), parts = std::size_t(size());
    room<std::byte>(in_, parts * bytes);
    std::byte* const mine = in_.data() + std::size_t(rank()) * bytes;
    encode_sum(own, in_part(count, part, rank()), residual, mine);
    inner_->all_gather(mine, in_.data(), bytes, Type::byte);
    for (int i = 0; i < size(); ++i)
        if (i != rank() || !keep_own)
            decode(codec_, in_.data() + std::size_t(i) * bytes, in_part(count, part, i),
                   to + std::min(count, std::size_t(i) * part));
}

template <class T> void CodedComm::sum_over_ranks(T* x, std::size_t count) {
    const std::size_t part = (count + std::size_t(size()) - 1) / std::size_t(size());
    const T* const sum = sum_of_parts<T>(x, count, part);
    gather<T>(sum, residual<T>(part), x, count, part, false);
    note<T>(count, part);
}

void CodedComm::all_reduce(void* data, std::size_t n, Type t, Reduction r) {
    if (r != Reduction::sum || !encodes(n, t)) return inner_->all_reduce(data, n, t, r);
    typed(t, [&]<class T>(T) { sum_over_ranks(static_cast<T*>(data), n); });
}
void CodedComm::reduce_scatter(const void* from, void* to, std::size_t n, Type t) {
    if (!encodes(n, t)) return inner_->reduce_scatter(from, to, n, t);
    const std::size_t all = n * std::size_t(size());
    typed(t, [&]<class T>(T) {
        std::copy_n(sum_of_parts(static_cast<const T*>(from), all, n), n, static_cast<T*>(to));
        note<T>(all, n);
    });
}
void CodedComm::all_gather(const void* from, void* to, std::size_t n, Type t) {
    if (!gathers_encoded(n, t)) return inner_->all_gather(from, to, n, t);
    const std::size_t all = n * std::size_t(size());
    typed(t, [&]<class T>(T) {
        T* const whole = static_cast<T*>(to);
        gather<T>(static_cast<const T*>(from), nullptr, whole, all, n, from == whole + std::size_t(rank()) * n);
        note<T>(all, n);
    });
}

Request CodedComm::start(Collective collective, const void* from, void* to, std::size_t n, Type t) {
    if (collective == Collective::all_gather ? gathers_encoded(n, t) : encodes(n, t)) {
        switch (collective) {
        case Collective::all_reduce: all_reduce(to, n, t); break;
        case Collective::reduce_scatter: reduce_scatter(from, to, n, t); break;
        case Collective::all_gather: all_gather(from, to, n, t); break;
        }
        return {};
    }
    Request request;
    claim(request, false).inner = inner_->start(collective, from, to, n, t);
    return request;
}
Request CodedComm::send(const void* data, std::size_t n, Type t, int to, int tag) {
    Request request;
    Transfer& transfer = claim(request, false);
    if (!encodes(n, t)) {
        transfer.inner = inner_->send(data, n, t, to, tag);
        return request;
    }
    typed(t, [&]<class T>(T) {
        transfer.bytes.resize(encoded_bytes<T>(codec_, n));
        encode(codec_, static_cast<const T*>(data), n, transfer.bytes.data());
    });
    transfer.inner = inner_->send(transfer.bytes.data(), transfer.bytes.size(), Type::byte, to, tag);
    saved_ += double(n * size_of(t)) - double(transfer.bytes.size());
    return request;
}
Request CodedComm::receive(void* data, std::size_t n, Type t, int from, int tag) {
    Request request;
    Transfer& transfer = claim(request, true);
    if (!encodes(n, t)) {
        transfer.inner = inner_->receive(data, n, t, from, tag);
        return request;
    }
    transfer.to = data;
    transfer.count = n;
    transfer.type = t;
    typed(t, [&]<class T>(T) { transfer.bytes.resize(encoded_bytes<T>(codec_, n)); });
    transfer.inner = inner_->receive(transfer.bytes.data(), transfer.bytes.size(), Type::byte, from, tag);
    saved_ += double(n * size_of(t)) - double(transfer.bytes.size());
    return request;
}

CodedComm::Transfer& CodedComm::claim(Request& request, bool receiving) {
    auto slot = std::find_if(transfers_.begin(), transfers_.end(), [](const Transfer& t) { return !t.used; });
    if (slot == transfers_.end()) slot = transfers_.emplace(slot);
    slot->used = true;
    slot->to = nullptr;
    request = {std::uintptr_t(slot - transfers_.begin()) + 1, receiving};
    return *slot;
}
void CodedComm::finish(Request& request) {
    Transfer& transfer = transfers_[request.handle - 1];
    if (transfer.to)
        typed(transfer.type,
              [&]<class T>(T) { decode(codec_, transfer.bytes.data(), transfer.count, static_cast<T*>(transfer.to)); });
    transfer.used = false;
    request.handle = 0;
}
void CodedComm::arrive(Request& request) {
    if (request.handle) inner_->wait(transfers_[request.handle - 1].inner);
}
void CodedComm::wait(Request& request) {
    arrive(request);
    if (request.handle) finish(request);
}
bool CodedComm::test(Request& request) {
    if (!request.handle) return true;
    if (!inner_->test(transfers_[request.handle - 1].inner)) return false;
    finish(request);
    return true;
}

Grid coded(Grid grid, const Codecs& codecs) {
    const auto wrap = [](std::unique_ptr<Comm>& comm, const MessageCodec& codec, bool feedback) {
        if (codec && comm->size() > 1) comm = std::make_unique<CodedComm>(std::move(comm), codec, feedback);
    };
    const bool feedback = codecs.data.kind == MessageCodec::Kind::topk;
    wrap(grid.data, codecs.data, feedback);
    wrap(grid.ends, codecs.data, feedback);
    wrap(grid.tensor, codecs.tensor, false);
    wrap(grid.pipeline, codecs.pipeline, false);
    return grid;
}

}  // namespace plimsoll::engine
