#include "engine/train/run.h"

#include "engine/comm/coded.h"
#include "engine/comm/ranks.h"
#include "engine/cuda/backend.h"
#include "engine/cuda/device_run.h"
#include "engine/kernels/cpu.h"
#include "engine/kernels/kernels.h"
#include "engine/model/data.h"
#include "engine/power/run_energy.h"
#include "engine/report/hardware.h"
#include "engine/report/statistics.h"
#include "engine/report/stopping.h"
#include "engine/train/dump.h"
#include "engine/train/step_line.h"
#include "engine/train/trainer.h"

#include <cmath>
#include <fstream>

namespace plimsoll::engine {

namespace {

// In a unit a person can read.
std::string amount(double bytes) {
    char text[32];
    const bool large = bytes >= 1e9;
    std::snprintf(text, sizeof text, large ? "%.2f GB" : "%.1f MB", bytes / (large ? 1e9 : 1e6));
    return text;
}

// One training run of one rank; the constructor asks for nothing but memory.
template <class Real, class Wide> class Run {
public:
    // `available`: bytes this rank may take. `device`: null on the processor.
    Run(const Options& o, const RunPlace& place, Kernels<Real, Wide>& kernels, Data data, Grid grid, double available,
        const DeviceRun* device = nullptr)
        : o_(o),
          place_(place),
          kernels_(kernels),
          data_(std::move(data)),
          shape_(shape_of(o.model)),
          grid_(std::move(grid)),
          available_(available),
          device_(device) {}
    Outcome go() {
        if ((outcome_.failure = allocate())) return std::move(outcome_);
        arena_.emplace(memory_.get(), plan_.total);
        clock_.changed = [this](Pass a, Phase b) { place_.watchdog.changed(a, b); };
        if (kernels_.has_marks()) {
            clock_.mark = [this] { kernels_.mark(); };
            clock_.between_marks = [this] { return kernels_.between_marks(); };
        }
        trainer_.emplace(o_, shape_, grid_, kernels_, clock_, *arena_);
        const std::string problem = load_weights();
        if ((outcome_.failure = first_failure(*grid_.world, problem, ExitCode::usage))) return std::move(outcome_);
        if (outcome_.stopped) {
            outcome_.summary = {{"steps", 0}};
            return std::move(outcome_);
        }
        const auto line = layout_line();
        place_.log.write("layout", line);
        train();
        outcome_.summary = summary();
        return std::move(outcome_);
    }

private:
    std::string memory_problem() const {
        const double need = double(plan_.total), have = o_.memory_limit > 0 ? o_.memory_limit : available_;
        if (need <= have) return {};
        return "this layout takes " + amount(need) + (device_ ? " of the device" : "") + " on rank "
             + std::to_string(place_.ranks.rank()) + " and there are " + amount(have) + ": " + amount(need - have)
             + " too much. Less: --micro-batch, --recompute, --zero, --tp, --pp";
    }
    bool reserve_scratch() {
        const auto width = std::size_t(shape_.width), up = std::size_t(shape_.up_width());
        const auto rows = std::size_t(o_.layout.micro_batch) * std::size_t(shape_.sequence);
        return kernels_.reserve_scratch(rows, o_.model.heads, int(std::max(3 * width, 2 * up)),
                                        plan_.uses[std::size_t(Use::gradients)] / sizeof(Wide));
    }
    std::optional<Failure> allocate() {
        plan_ = predict_memory(o_, place_.ranks.rank());
        if (auto failure = first_failure(*grid_.world, memory_problem(), ExitCode::out_of_memory)) return failure;
        memory_.reset(kernels_.allocate(plan_.total));
        // Pages are touched here and not in a step, piece by piece: the watchdog wants to see progress.
        constexpr std::size_t piece = std::size_t(1) << 28;
        for (std::size_t at = 0; memory_ && at < plan_.total; at += piece) {
            place_.watchdog.changed(Pass::data, Phase::launch);
            kernels_.zero(static_cast<char*>(memory_.get()) + at, std::min(piece, plan_.total - at));
        }
        std::string problem;
        if (!memory_) problem = amount(double(plan_.total)) + " could not be allocated";
        else if (!reserve_scratch())
            problem = "the device holds the " + amount(double(plan_.total))
                    + " of this layout and has no room beside them for what its kernels want for a moment";
        return first_failure(*grid_.world, problem, ExitCode::out_of_memory);
    }
    std::string load_weights() {
        InitialWeights from{.row_of = {}, .threads = 1, .go_on = [this] {
            double wanted = stop_requested();
            grid_.world->all_reduce(&wanted, 1, Type::f64);
            return !(outcome_.stopped = wanted > 0);
        }};
        if (o_.train.weights.empty()) {
            from.row_of = [&](const Parameter& p, int row, std::span<double> values) {
                initial_values(p, o_.train.seed, row, values);
            };
            // However many threads the steps have: numbers by counter are the same whoever draws them.
            // A question costs a message on every rank: one for each second or so that a rank draws.
            constexpr double drawn_between_questions = 4e6;
            from.questions = std::clamp(int(product_parameters(shape_) / drawn_between_questions), 1, 64);
            from.threads = threads_to_spare(*grid_.world, place_.nodes[std::size_t(place_.ranks.rank())]);
            trainer_->states().initialise(from);
            return {};
        }
        const auto file = TensorFile::open(o_.train.weights);
        if (!file) return file.error();
        std::string problem, loaded;
        std::vector<double> values;
        from.row_of = [&](const Parameter& p, int row, std::span<double> out) {
            if (p.name != loaded) {
                const auto read = file->read(p.name, p.rows, p.columns);
                if (!read && problem.empty()) problem = read.error();
                values = read ? *read : std::vector<double>(std::size_t(p.rows) * std::size_t(p.columns));
                loaded = p.name;
            }
            std::copy_n(values.begin() + (std::ptrdiff_t(row) * p.columns + p.first_column), out.size(), out.begin());
        };
        trainer_->states().initialise(from);
        return problem;
    }
    void train() {
        Dump dump(*grid_.world);
        auto& states = trainer_->states();
        const auto first_gradients = [&] {
            dump.add("gradient:", states, shape_, [&](const Unit& u) { return states.owned_gradient(u); });
        };
        double energy_before = std::nan("");
        const auto alive = [this] { place_.watchdog.changed(Pass::data, Phase::launch); };
        if (!node_energy_.idle(o_.idle_seconds, alive)) alive();  // the first step agrees on the stop
        clock_.start();
        double cpu_before = thread_cpu_seconds();
        for (int step = 0; step < o_.train.steps && !outcome_.stopped; ++step) {
            if (step == 1 && device_) energy_before = energy_of(*device_);
            const auto ids = batch(step);
            const bool wanted = step == 0 && !o_.dump.empty();
            const StepResult r =
                trainer_->step(step, ids, stop_requested(), wanted ? std::function<void()>(first_gradients) : nullptr);
            const PhaseSeconds phases = clock_.lap();  // from the end of the step before
            const double cpu = thread_cpu_seconds();
            losses_.push_back(r.loss);
            norms_.push_back(r.norm);
            seconds_.push_back(phases.total());
            outcome_.stopped = r.stop;
            place_.watchdog.step_took(seconds_.back());
            stop_is_asked_every(seconds_.back());
            report(step, r, phases, cpu - std::exchange(cpu_before, cpu));
            if (std::isfinite(r.loss) && std::isfinite(r.norm)) continue;
            outcome_.failure = Failure{ExitCode::numerics,
                                       "loss or gradient norm is not finite in step " + std::to_string(step + 1)
                                           + ": a smaller --rate, or --precision fp64",
                                       0};
            return;
        }
        if (device_) {
            energy_ = energy_of(*device_) - energy_before;
            grid_.world->all_reduce(&energy_, 1, Type::f64);
        }
        node_energy_.idle(o_.idle_seconds, alive);
        if (o_.dump.empty()) return;
        dump.add("weight:", states, shape_, [&](const Unit& u) { return states.owned_weights(u); });
        dump.add_row("loss", losses_);
        dump.add_row("grad_norm", norms_);
        outcome_.failure = first_failure(*grid_.world, dump.write(o_.dump), ExitCode::usage);
    }
    // Micro-batch j of data rank d holds samples (j D + d) b ... of the global batch, whatever the layout.
    std::vector<std::int32_t> batch(int step) const {
        const LayoutOptions& l = o_.layout;
        const auto T = std::size_t(shape_.sequence), rows = std::size_t(l.micro_batch) * T;
        std::vector<std::int32_t> all(2 * rows * std::size_t(l.accumulate)), ids(T + 1);
        for (int j = 0; j < l.accumulate; ++j)
            for (int i = 0; i < l.micro_batch; ++i) {
                data_.sample(step, (j * l.data + grid_.at.data) * l.micro_batch + i, ids);
                const std::size_t at = std::size_t(j) * 2 * rows + std::size_t(i) * T;
                std::copy_n(ids.begin(), T, all.begin() + std::ptrdiff_t(at));
                std::copy_n(ids.begin() + 1, T, all.begin() + std::ptrdiff_t(at + rows));
            }
        return all;
    }
    void report(int step, const StepResult& r, const PhaseSeconds& phases, double cpu) {
        const auto& c = trainer_->context();
        Traffic tensor = c.tensor.traffic(), data = data_traffic(), pipeline = c.pipeline.traffic();
        if (device_) correct_for_device(phases, tensor, data, pipeline);
        const StepTiming timing{.step = step + 1, .loss = r.loss, .norm = r.norm, .seconds = phases.total(),
                                .tokens = double(o_.layout.batch()) * shape_.sequence,
                                .peak_bytes = double(arena_->peak()), .cpu_seconds = cpu,
                                .device_bytes = device_bytes(), .phases = &phases, .tensor = tensor, .data = data,
                                .pipeline = pipeline};
        auto line = step_line(timing, *grid_.world);
        node_energy_.step_ended(step + 1, line, place_.log);
        place_.log.write("step", line);
    }
    // The host's clock saw verbs being queued. What they held up stands between the device's marks, without a pipeline
    // with the moment in which ranks agree on the loss; what they took, NCCL's streams tell, or the host where it
    // carries them.
    void correct_for_device(const PhaseSeconds& phases, Traffic& tensor, Traffic& data, Traffic& pipeline) const {
        const auto correct = [](Traffic& t, double exposed, std::optional<double> on_device) {
            const double hidden = std::max(0.0, t.total - t.exposed);
            t.exposed = exposed;
            t.total = on_device ? std::max(*on_device, exposed) : exposed + hidden;
        };
        const auto seconds = [](Comm& group, Comm* more = nullptr) {
            std::optional<double> sum = group.device_seconds();
            if (more)
                if (const auto further = more->device_seconds(); further && sum) *sum += *further;
            return sum;
        };
        correct(tensor, phases.of(Phase::tensor_parallel), seconds(*grid_.tensor));
        correct(data, phases.of(Phase::data_parallel) + phases.of(Phase::shard_gather),
                seconds(*grid_.data, grid_.ends.get()));
        // Not the update's bubble, in which all ranks agree on the loss.
        correct(pipeline,
                phases.of(Phase::pipeline_transfer) + phases.of(Pass::forward, Phase::bubble)
                    + phases.of(Pass::backward, Phase::bubble),
                seconds(*grid_.pipeline));
    }
    // All that is in use on a device that this rank has to itself; on the processor the pages of this process.
    double device_bytes() const {
        if (!device_) return resident_memory_B();
        if (device_->sharing > 1) return 0;
        const PlimsollDevice now = device_in_use(*device_->table);
        return double(now.memory_B - now.free_B);
    }
    Traffic data_traffic() const {
        const auto& c = trainer_->context();
        Traffic sum = c.data.traffic();
        for (const Traffic* more : {&c.shards.traffic(), &c.ends.traffic()}) {
            sum.total += more->total;
            sum.exposed += more->exposed;
            sum.bytes += more->bytes;
            sum.raw += more->raw;
        }
        return sum;
    }
    nlohmann::ordered_json layout_line() const {
        const LayoutOptions& l = o_.layout;
        const char* recompute[] = {"none", "selective", "full"};
        nlohmann::ordered_json line{{"dp", l.data},
                                    {"tp", l.tensor},
                                    {"pp", l.pipeline},
                                    {"chunks", l.chunks},
                                    {"sp", l.sequence_parallel},
                                    {"zero", l.zero},
                                    {"recompute", recompute[int(l.recompute)]},
                                    {"micro_batch", l.micro_batch},
                                    {"accumulate", l.accumulate},
                                    {"overlap", l.overlap},
                                    {"parameters", product_parameters(shape_)},
                                    {"flop_per_token_causal", flop_per_token(shape_, true)},
                                    {"flop_per_token_full", flop_per_token(shape_, false)}};
        describe_codecs(line);
        if (const auto floor = data_.floor()) line["loss_floor"] = *floor;
        line["predicted_B"] = json_of(plan_);
        line["grid"] = nlohmann::ordered_json::array();
        for (int rank = 0; rank < l.ranks(); ++rank) {
            const Place at = place_of(rank, l);
            line["grid"].push_back({{"rank", rank},
                                    {"node", place_.nodes[std::size_t(rank)]},
                                    {"dp", at.data},
                                    {"tp", at.tensor},
                                    {"pp", at.pipeline},
                                    {"device", name_of(o_.device)}});
        }
        return line;
    }
    void describe_codecs(nlohmann::ordered_json& line) const {
        if (o_.layout.codecs.empty()) return;
        const Codecs c = *codecs_of(o_.layout.codecs);   // asked: problems() refuses what it cannot read
        line["codecs"] = {{"data", c.data.text()}, {"tensor", c.tensor.text()}, {"pipeline", c.pipeline.text()},
                          {"error_feedback", c.data.kind == MessageCodec::Kind::topk}};
        if (!o_.layout.overlap || !c.data) return;
        line["overlap"] = false;
        line["overlap_reason"] = "encoded gradients are reduced at once, when a unit has them";
    }
    nlohmann::ordered_json summary() const {
        const std::size_t skipped = seconds_.size() > 3 ? 1 : 0;  // the first step warms caches and connections
        const double tokens = o_.layout.batch() * double(shape_.sequence);
        const double step_s = median({seconds_.begin() + std::ptrdiff_t(skipped), seconds_.end()});
        nlohmann::ordered_json s{{"steps", seconds_.size()},
                                 {"step_s", step_s},
                                 {"tok_per_s", tokens / step_s}};
        if (!losses_.empty()) {
            s["loss_first"] = losses_.front();
            s["loss_last"] = losses_.back();
        }
        if (device_) {
            s["energy_J"] = energy_;
            s["energy_per_token_J"] = energy_ / (tokens * double(seconds_.size() - 1));
        }
        s["energy"] = node_energy_.summary(tokens);
        s["mem_predicted_B"] = plan_.total;
        s["mem_peak_B"] = arena_->peak();
        return s;
    }

    const Options& o_;
    const RunPlace& place_;
    Kernels<Real, Wide>& kernels_;
    Data data_;
    Shape shape_;
    Grid grid_;
    const double available_;
    const DeviceRun* device_;
    PhaseClock clock_;
    MemoryPlan plan_{};
    struct Release {
        Kernels<Real, Wide>* kernels;
        void operator()(void* p) const { kernels->release(p); }
    };
    std::unique_ptr<void, Release> memory_{nullptr, Release{&kernels_}};
    std::optional<Arena> arena_;
    std::optional<Trainer<Real, Wide>> trainer_;
    std::vector<double> losses_, norms_, seconds_;
    double energy_ = std::nan("");       // joule of all devices from the second step to the last
    power::RunEnergy node_energy_{place_.power, place_.ranks};
    Outcome outcome_;
};

template <class Real> Outcome train_on_cpu(const Options& o, const RunPlace& place, Data data) {
    const auto kernels = cpu_kernels<Real>(o.threads, product_library(o.precision == RealFormat::bf16));
    return Run<Real, Real>(o, place, *kernels, std::move(data),
                           coded(grid_of(place.ranks, o.layout), *codecs_of(o.layout.codecs)),   // asked: problems()
                           available_memory_B(1e18) / place.ranks.size())
        .go();
}

template <class Real>
Outcome train_on_device(const Options& o, const RunPlace& place, const DeviceRun& device, Data data) {
    CudaKernels<Real, float> kernels(*device.table);
    Grid grid = on_devices(grid_of(place.ranks, o.layout), device);
    place.log.write("transport", transport_line(device));
    const double available = available_B(device, *grid.world);
    return Run<Real, float>(o, place, kernels, std::move(data), std::move(grid), available, &device).go();
}

// A run that asked for a device where there is none goes on on the processor, and says so.
Options without_device(Options o, const std::string& why, Log& log) {
    o.device = Platform::cpu;
    if (o.precision == RealFormat::bf16 && !has_bf16_products()) o.precision = RealFormat::fp32;
    log.warn("no_device", why + "; going on on the processor in " + name_of(o.precision));
    return o;
}

template <class Real, class Wide> MemoryPlan dry_run(const Options& o, int rank) {
    const Shape shape = shape_of(o.model);
    Grid grid = pretended_grid(rank, o.layout);
    DryKernels<Real, Wide> kernels;
    PhaseClock clock;
    Arena arena = Arena::pretended();
    Trainer<Real, Wide> trainer(o, shape, grid, kernels, clock, arena);
    trainer.step(0, {}, false);
    MemoryPlan plan{};
    for (std::size_t u = 0; u < use_count; ++u) plan.uses[u] = arena.kept_for(Use(u));
    plan.scratch = arena.scratch_peak();
    plan.total = arena.peak();
    return plan;
}

}  // namespace

std::function<void(const std::string&)> opening_of(const RunPlace& place) {
    return [&place](const std::string& what) { place.watchdog.opens(what); };
}

Outcome train(const Options& o, const RunPlace& place) {
    auto data = Data::open(o);
    if (!data) return {Failure{ExitCode::usage, data.error(), 0}, false, {}};
    if (o.device != Platform::cpu) {
        const DeviceRun device = open_devices(o.device, place.ranks, place.nodes, opening_of(place));
        if (!device.table) return train(without_device(o, device.message, place.log), place);
        return o.precision == RealFormat::bf16 ? train_on_device<bf16>(o, place, device, std::move(*data))
                                              : train_on_device<float>(o, place, device, std::move(*data));
    }
    return o.precision == RealFormat::fp64 ? train_on_cpu<double>(o, place, std::move(*data))
                                          : train_on_cpu<float>(o, place, std::move(*data));
}

static_assert(std::extent_v<decltype(MemoryPlan::uses)> == use_count);

MemoryPlan predict_memory(const Options& o, int rank) {
    switch (o.precision) {
    case RealFormat::fp64: return dry_run<double, double>(o, rank);
    case RealFormat::bf16:
        if (o.device != Platform::cpu) return dry_run<bf16, float>(o, rank);
        break;  // the processor stores fp32 and multiplies bf16
    case RealFormat::fp32: break;
    }
    return dry_run<float, float>(o, rank);
}

nlohmann::ordered_json json_of(const MemoryPlan& plan) {
    nlohmann::ordered_json object;
    for (std::size_t u = 0; u < use_count; ++u) object[use_names[u]] = plan.uses[u];
    object["scratch"] = plan.scratch;
    object["total"] = plan.total;
    return object;
}

}  // namespace plimsoll::engine
