// Groups staged through the host: every verb moves what it should between device memory, which only copies may touch,
// and a group of the host; transfers under way keep their own memory, and memory is used again.
#include "registered_test.h"

#include "engine/comm/comm.h"
#include "engine/cuda/device_comms.h"

#include <QTest>

#include <cstring>
#include <map>
#include <set>
#include <sys/mman.h>

using namespace plimsoll::engine;

namespace {

constexpr std::size_t page = 4096;

// Device memory is pages that nobody may touch; the three copies open them for their length.
class GuardedStaging final : public Staging {
public:
    ~GuardedStaging() override {
        for (void* p : pages_) munmap(p, page);
    }
    float* device(std::vector<float> values) {
        void* p = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        std::memcpy(p, values.data(), values.size() * sizeof(float));
        mprotect(p, page, PROT_NONE);
        pages_.insert(p);
        return static_cast<float*>(p);
    }
    std::vector<float> read(const float* p, std::size_t n) {
        std::vector<float> values(n);
        to_host(values.data(), p, n * sizeof(float));
        return values;
    }
    void* allocate(std::size_t bytes) override { return ++allocated, std::malloc(bytes); }
    void release(void* p) override { ++released, std::free(p); }
    void to_host(void* host, const void* device, std::size_t bytes) override {
        copy(host, device, bytes, device, device);
    }
    void to_device(void* device, const void* host, std::size_t bytes) override {
        copy(device, host, bytes, device, device);
    }
    void on_device(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes, to, from); }
    int allocated = 0, released = 0;

private:
    void copy(void* to, const void* from, std::size_t bytes, const void* a, const void* b) {
        for (const void* p : {a, b}) mprotect(start(p), page, PROT_READ | PROT_WRITE);
        std::memcpy(to, from, bytes);
        for (const void* p : {a, b}) mprotect(start(p), page, PROT_NONE);
    }
    static void* start(const void* p) {
        return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(p) / page * page);
    }
    std::set<void*> pages_;
};

// Rank 1 of two, whose partner holds the same numbers times ten and sends back what it is sent. Nothing that was
// started is done before it is waited for, or tested twice.
class Mirror final : public Comm {
public:
    int rank() const override { return 1; }
    int size() const override { return 2; }
    void all_reduce(void* data, std::size_t n, Type, Reduction r) override {
        for (std::size_t i = 0; i < n; ++i) at(data)[i] *= r == Reduction::sum ? 11 : 10;
    }
    void reduce_scatter(const void* from, void* to, std::size_t n, Type) override {
        for (std::size_t i = 0; i < n; ++i) at(to)[i] = 11 * at(from)[n + i];
    }
    void all_gather(const void* from, void* to, std::size_t n, Type) override {
        for (std::size_t i = 0; i < n; ++i) {
            at(to)[i] = 10 * at(from)[i];
            at(to)[n + i] = at(from)[i];
        }
    }
    void broadcast(void* data, std::size_t n, Type, int root) override {
        for (std::size_t i = 0; i < n && root == 0; ++i) at(data)[i] = 7;
    }
    Request send(const void* data, std::size_t n, Type, int, int tag) override {
        return later([this, data, n, tag] { sent_[tag].assign(at(data), at(data) + n); });
    }
    Request receive(void* data, std::size_t n, Type, int, int tag) override {
        Request r = later([this, data, n, tag] { std::copy_n(sent_[tag].begin(), n, at(data)); });
        r.receiving = true;
        return r;
    }
    Request start(Collective c, const void* from, void* to, std::size_t n, Type t) override {
        return later([=, this] {
            if (c == Collective::all_reduce) all_reduce(to, n, t, Reduction::sum);
            if (c == Collective::reduce_scatter) reduce_scatter(from, to, n, t);
            if (c == Collective::all_gather) all_gather(from, to, n, t);
        });
    }
    void wait(Request& r) override { work_.at(r.handle)(), work_.erase(r.handle), r = {}; }
    bool test(Request& r) override { return tested_.insert(r.handle).second ? false : (wait(r), true); }
    void barrier() override {}

private:
    static float* at(const void* p) { return static_cast<float*>(const_cast<void*>(p)); }
    Request later(std::function<void()> f) { return work_[++last_] = std::move(f), Request{last_}; }
    std::map<std::uintptr_t, std::function<void()>> work_;
    std::set<std::uintptr_t> tested_;
    std::map<int, std::vector<float>> sent_;
    std::uintptr_t last_ = 0;
};

using Floats = std::vector<float>;

}  // namespace

class TestEngineStaged : public QObject {
    Q_OBJECT

private slots:
    void every_verb_reaches_the_other_rank() {
        GuardedStaging staging;
        StagedComm group(std::make_unique<Mirror>(), staging);
        float* a = staging.device({1, 2, 3, 4});
        group.all_reduce(a, 4, Type::f32);
        QCOMPARE(staging.read(a, 4), (Floats{11, 22, 33, 44}));
        group.all_reduce(a, 2, Type::f32, Reduction::max);
        QCOMPARE(staging.read(a, 4), (Floats{110, 220, 33, 44}));
        float* b = staging.device({0, 0, 0, 0});
        group.reduce_scatter(a, b, 2, Type::f32);
        QCOMPARE(staging.read(b, 4), (Floats{363, 484, 0, 0}));
        group.all_gather(a + 2, b, 2, Type::f32);
        QCOMPARE(staging.read(b, 4), (Floats{330, 440, 33, 44}));
        group.broadcast(b, 3, Type::f32, 0);
        QCOMPARE(staging.read(b, 4), (Floats{7, 7, 7, 44}));
        group.broadcast(b, 3, Type::f32, 1);  // from here: nothing changes
        QCOMPARE(staging.read(b, 4), (Floats{7, 7, 7, 44}));
    }

    void a_shard_is_gathered_in_place() {
        GuardedStaging staging;
        StagedComm group(std::make_unique<Mirror>(), staging);
        float* a = staging.device({0, 0, 5, 6});
        group.all_gather(a + 2, a, 2, Type::f32);
        QCOMPARE(staging.read(a, 4), (Floats{50, 60, 5, 6}));
    }

    // What is sent is what the device held when it was sent; what arrives is there after wait() and not before.
    void transfers_under_way_have_memory_of_their_own() {
        GuardedStaging staging;
        StagedComm group(std::make_unique<Mirror>(), staging);
        float *a = staging.device({1, 2}), *b = staging.device({3, 4}), *c = staging.device({0, 0}),
              *d = staging.device({0, 0});
        Request first = group.send(a, 2, Type::f32, 0, 5), second = group.send(b, 2, Type::f32, 0, 6);
        staging.on_device(a, b, 8);
        group.wait(first);
        group.wait(second);
        QVERIFY(!first.handle && !second.handle);
        first = group.receive(c, 2, Type::f32, 0, 5);
        second = group.receive(d, 2, Type::f32, 0, 6);
        QVERIFY(first.receiving && second.receiving && first.handle != second.handle);
        QVERIFY(!group.test(second));
        QCOMPARE(staging.read(d, 2), (Floats{0, 0}));
        QVERIFY(group.test(second) && !second.handle && group.test(second));
        QCOMPARE(staging.read(d, 2), (Floats{3, 4}));
        group.wait(first);
        QCOMPARE(staging.read(c, 2), (Floats{1, 2}));
    }

    void a_collective_that_was_started_is_done_when_it_is_waited_for() {
        GuardedStaging staging;
        StagedComm group(std::make_unique<Mirror>(), staging);
        float *a = staging.device({1, 2, 3, 4}), *b = staging.device({0, 0, 0, 0});
        Request reduce = group.start(Collective::reduce_scatter, a, b, 2, Type::f32),
                all = group.start(Collective::all_reduce, nullptr, a, 4, Type::f32);
        QCOMPARE(staging.read(a, 4), (Floats{1, 2, 3, 4}));
        group.wait(all);
        group.wait(reduce);
        QCOMPARE(staging.read(a, 4), (Floats{11, 22, 33, 44}));
        QCOMPARE(staging.read(b, 2), (Floats{33, 44}));
    }

    void host_memory_is_used_again_and_given_back() {
        GuardedStaging staging;
        {
            StagedComm group(std::make_unique<Mirror>(), staging);
            float* a = staging.device(Floats(64, 1));
            for (std::size_t n : {64, 8, 64, 32, 1}) group.all_reduce(a, n, Type::f32);
            QCOMPARE(staging.allocated, 1);
            Request r = group.start(Collective::all_reduce, nullptr, a, 8, Type::f32);
            group.all_reduce(a + 16, 8, Type::f32);  // the first one's memory is in use
            group.wait(r);
            QCOMPARE(staging.allocated, 2);
        }
        QCOMPARE(staging.released, 2);
    }

    void a_group_of_one_copies_on_the_device() {
        GuardedStaging staging;
        StagedComm group(std::make_unique<SelfComm>(), staging);
        float *a = staging.device({1, 2}), *b = staging.device({0, 0});
        group.all_reduce(a, 2, Type::f32);
        group.broadcast(a, 2, Type::f32, 0);
        group.all_gather(a, b, 2, Type::f32);
        QCOMPARE(staging.read(b, 2), (Floats{1, 2}));
        group.reduce_scatter(b, b, 2, Type::f32);
        QCOMPARE(staging.allocated, 0);
    }
};

PLIMSOLL_TEST(TestEngineStaged)
#include "tst_engine_staged.moc"
