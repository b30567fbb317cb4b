#include "core/files/launch/calibration_start.h"

#include "core/files/measured/calibration_plan.h"
#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace plimsoll {

Expected<ExperimentPlan, Sentences> plan_for_job(const Scenario& subject, const Stack& engine, BatchKind kind,
                                                 const JobEffort& effort, JobRequest& request) {
    const Machine& machine = subject.machine;
    if (request.ranks_per_node == 0) request.ranks_per_node = machine.devices_per_node;
    const JobShape shape = job_shape(machine, kind, request);
    auto place = place_on(machine, engine, {shape.nodes, shape.ranks_per_node, shape.cores_per_rank});
    if (!place) return Unexpected{Sentences{place.error()}};
    place->codecs = effort.codecs;
    place->budget = effort.budget;
    auto plan = plan_experiments(subject, *place);
    if (!plan) return plan;
    request.budget = effort.budget > Seconds{} ? effort.budget : plan->expected();
    request.plan = write_calibration_plan(*plan);
    return plan;
}

std::vector<std::string> trial_options(int steps, int ranks) {
    return {"--layers",   "1",  "--width", "64",                  "--heads", "1", "--vocabulary", "64",
            "--sequence", "32", "--steps", std::to_string(steps), "--dp",    std::to_string(ranks)};
}

namespace {

constexpr const char* anybody = "PROJECT";   // in the place of an account, which only users know

using Words = std::vector<std::string>;

bool is_device(DeviceKind kind) { return kind == DeviceKind::nvidia || kind == DeviceKind::amd; }

// The computer that a preset of one node describes. One whose device is the whole node does not say how many cores
// that has; any number gives a plan.
Computer computer_of(const Machine& m) {
    Computer computer{.cores = m.devices_per_node > 1 ? m.devices_per_node : 4, .memory = m.host.memory};
    if (is_device(device_kind(m))) computer.gpus.assign(std::size_t(m.devices_per_node), m.device.name);
    return computer;
}

class Starter {
public:
    Starter(const Scenario& subject, const Library& library) : subject_(subject), library_(library) {}

    CalibrationStart run() {
        const Machine& m = subject_.machine;
        start_.device = device_kind(m);
        const auto engine = library_.stacks.find("plimsoll-engine");
        const auto cores = library_.machines.find("cpu-2core");
        if (engine == library_.stacks.end() || cores == library_.machines.end()) {
            start_.reasons = {phrase("The presets cpu-2core and plimsoll-engine, which a calibration starts from, are "
                                     "not there.")};
            return std::move(start_);
        }
        engine_ = &engine->second;
        const auto kind = batch_kind(m.scheduler);
        const bool script = kind && *kind != BatchKind::grid_engine;
        if (!script && m.nodes == 1) here(cores->second);
        else if (script) as_job(*kind);
        else without_script();
        return std::move(start_);
    }

private:
    struct Attempt {
        Words options;
        Expected<ExperimentPlan, Sentences> plan = Unexpected<Sentences>{{}};
        JobShape shape{};
    };

    static Words options_of(BatchKind kind, const JobRequest& r) {
        Words words{"--script", std::string(id_of(kind))};
        if (!r.account.empty()) words.insert(words.end(), {"--account", r.account});
        if (r.nodes > 0) words.insert(words.end(), {"--nodes", std::to_string(r.nodes)});
        return words;
    }

    static JobRequest request_of(int nodes, int ranks_per_node, const std::string& account) {
        JobRequest request;
        request.nodes = nodes;
        request.ranks_per_node = ranks_per_node;
        request.account = account;
        return request;
    }

    Attempt attempt(BatchKind kind, JobRequest request) const {
        Attempt made{.options = options_of(kind, request)};
        made.plan = plan_for_job(subject_, *engine_, kind, {}, request);
        made.shape = job_shape(subject_.machine, kind, request);
        if (!made.plan) return made;
        if (const auto job = calibration_job(subject_.machine, kind, request); !job)
            made.plan = Unexpected{job.error()};
        return made;
    }

    // As it is asked for first; then with an account, on one node, and both.
    std::vector<Attempt> attempts(BatchKind kind) const {
        std::vector<Attempt> all;
        for (const auto& [nodes, account] : {std::pair{0, ""}, {0, anybody}, {1, ""}, {1, anybody}}) {
            all.push_back(attempt(kind, request_of(nodes, 0, account)));
            if (all.back().plan) break;
        }
        return all;
    }

    void as_job(BatchKind kind) {
        const auto tried = attempts(kind);
        const Attempt& last = tried.back();
        if (tried.size() > 2 || !last.plan) start_.reasons = tried[1].plan.error();
        if (!last.plan) return refuse(kind);
        start_.way = CalibrationWay::script;
        start_.kind = kind;
        start_.described = subject_.machine.scheduler.job && batch_kind(subject_.machine.scheduler) == kind;
        start_.options = last.options;
        start_.nodes = last.shape.nodes;
        start_.ranks_per_node = last.shape.ranks_per_node;
        start_.expected = last.plan->expected();
        find_precisions([&](const Scenario& s) {
            JobRequest request = request_of(last.shape.nodes, last.shape.ranks_per_node, "");
            return plan_for_job(s, *engine_, kind, {}, request);
        });
    }

    void here(const Machine& cores) {
        const Machine& m = subject_.machine;
        const CalibrationPlace place = place_here(subject_, cores, *engine_, computer_of(m));
        if (place.accelerator != (start_.device != DeviceKind::processor)) {
            const auto there = place_on(m, *engine_, {1, m.devices_per_node, 0});
            if (!there) start_.reasons = {there.error()};
            return refuse(BatchKind::slurm);
        }
        const auto plan = plan_experiments(subject_, place);
        if (!plan) {
            start_.reasons = plan.error();
            return refuse(BatchKind::slurm);
        }
        start_.way = CalibrationWay::here;
        start_.options = {"--run", "local"};
        start_.nodes = 1;
        start_.ranks_per_node = place.accelerator ? plan->ranks : 0;
        start_.expected = plan->expected();
        find_precisions([&](const Scenario& s) { return plan_experiments(s, place); });
    }

    // The machine has no job script: says so, and before it, where its devices cannot be measured at all, why.
    void without_script() {
        const Machine& m = subject_.machine;
        const auto tried = attempts(BatchKind::slurm);
        if (!tried.back().plan) start_.reasons = tried[1].plan.error();
        start_.reasons.push_back(phrase("Jobs of {1} are started by {2}, for which there is no script: slurm, lsf, "
                                        "pjm, pbs and flux are known. What works: the script for one of them, whose "
                                        "directives and line that starts the ranks are then replaced.",
                                        m.name, m.scheduler.kind));
        if (!tried.back().plan) return refuse(BatchKind::slurm);
        start_.works.push_back({tried.back().options,
                                "the files of a job, whose directives and line that starts the ranks are then "
                                "replaced"});
    }

    // Out of what is refused: the preset that counts dies, and a job that measures nothing.
    void refuse(BatchKind kind) {
        if (start_.device == DeviceKind::module)
            if (const std::string id = of_dies(); !id.empty())
                start_.works.push_back({{"--set", "machine=" + id}, "the preset that counts GCDs"});
        for (const char* account : {"", anybody}) {
            JobRequest request = request_of(0, 0, account);
            request.options = trial_options(3, job_shape(subject_.machine, kind, request).ranks());
            if (!calibration_job(subject_.machine, kind, request)) continue;
            Words words = options_of(kind, request);
            words.insert(words.end(), {"--trial", "3"});
            start_.works.push_back({words, "a trial job, which computes on processors and calibrates nothing"});
            return;
        }
    }

    // As many nodes with twice as many devices of the same number.
    std::string of_dies() const {
        const Machine& module = subject_.machine;
        for (const auto& [id, m] : library_.machines) {
            if (m.nodes != module.nodes || m.devices_per_node != 2 * module.devices_per_node) continue;
            if (device_kind(m) != DeviceKind::amd || !same_gpu(m.device.name, module.device.name)) continue;
            Scenario there = subject_;
            there.machine = m;
            if (calibration_start(there, library_).way != CalibrationWay::refused) return id;
        }
        return {};
    }

    void find_precisions(const std::function<Expected<ExperimentPlan, Sentences>(const Scenario&)>& plan_of) {
        for (const Precision asked : {Precision::fp32, Precision::bf16}) {
            Scenario subject = subject_;
            subject.recipe.precision = asked;
            const auto plan = plan_of(subject);
            if (!plan) continue;
            const auto layout = std::find_if(plan->runs.begin(), plan->runs.end(),
                                             [](const PlannedRun& run) { return run.role != Role::measure; });
            const Precision used = layout->plan.recipe.precision;
            auto& all = start_.precisions;
            if (std::find(all.begin(), all.end(), used) == all.end()) all.push_back(used);
        }
    }

    const Scenario& subject_;
    const Library& library_;
    const Stack* engine_ = nullptr;
    CalibrationStart start_;
};

}  // namespace

CalibrationStart calibration_start(const Scenario& subject, const Library& library) {
    return Starter(subject, library).run();
}

std::vector<MachineStart> calibration_starts(const Scenario& subject, const Library& library) {
    std::vector<MachineStart> all;
    Scenario there = subject;
    for (const auto& [id, machine] : library.machines) {
        there.machine = machine;
        all.push_back({id, machine.name, machine.device.name, machine.scheduler.kind,
                       calibration_start(there, library)});
    }
    return all;
}

std::string_view back_end_of(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::processor: return "CPU";
        case DeviceKind::nvidia: return "CUDA";
        case DeviceKind::amd: return "HIP";
        case DeviceKind::module: case DeviceKind::outdated: case DeviceKind::foreign: break;
    }
    return "none";
}

std::string say_way(const CalibrationStart& start) {
    switch (start.way) {
        case CalibrationWay::here: return "on that computer";
        case CalibrationWay::script: return std::string(title_of(*start.kind)).append(" script");
        case CalibrationWay::refused: break;
    }
    return "refused";
}

std::string say_precisions(const CalibrationStart& start) {
    std::vector<std::string> names;
    for (const Precision p : start.precisions) names.emplace_back(name_of(p));
    return joined(names);
}

namespace {

// In one clause: the whole of it stands where the job is made.
std::string why_refused(const Machine& m, const CalibrationStart& start) {
    switch (start.device) {
        case DeviceKind::foreign: return phrase("plimsoll-engine has no back end for {1}", m.device.name);
        case DeviceKind::outdated:
            return phrase("plimsoll-engine needs compute capability 8.0, which {1} has not", m.device.name);
        case DeviceKind::module: return phrase("its preset counts two GCDs as one device");
        case DeviceKind::processor: case DeviceKind::nvidia: case DeviceKind::amd: break;
    }
    const auto kind = batch_kind(m.scheduler);
    if (!kind || *kind == BatchKind::grid_engine) return phrase("there is no script for {1}", m.scheduler.kind);
    return joined(start.reasons, " ");
}

}  // namespace

std::string say_start(const Machine& m, const CalibrationStart& start) {
    switch (start.way) {
        case CalibrationWay::here:
            return start.device == DeviceKind::processor
                     ? phrase("{1}, the machine of the plan, is calibrated by Start on that computer itself, on its "
                              "processors.",
                              m.name)
                     : phrase("{1}, the machine of the plan, is calibrated by Start on that computer itself, on its "
                              "GPUs ({2}).",
                              m.name, back_end_of(start.device));
        case CalibrationWay::script:
            return phrase("{1}, the machine of the plan, is calibrated by a job (Batch job): a {2} script for {3} with "
                          "{4} each, {5}. Start measures this computer.",
                          m.name, title_of(*start.kind), numbered(start.nodes, "node", "nodes"),
                          numbered(start.ranks_per_node, "rank", "ranks"), back_end_of(start.device));
        case CalibrationWay::refused: break;
    }
    return phrase("{1}, the machine of the plan, is not calibrated: {2} (what works: Batch job). Start measures this "
                  "computer.",
                  m.name, why_refused(m, start));
}

}  // namespace plimsoll
