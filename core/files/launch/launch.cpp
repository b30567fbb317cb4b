#include "core/files/launch/launch.h"

#include "core/answers/campaign/job_chain.h"
#include "core/answers/plan/headroom.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"
#include "core/answers/campaign/headline.h"
#include "core/files/launch/framework_flags.h"
#include "core/files/launch/batch.h"
#include "core/files/presets/plan_link.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace plimsoll {

namespace files {

long long training_steps(const Scenario& s) { return (long long)steps_of_run(s.recipe); }

long long save_interval(const Scenario& s) {
    const Outcome o = estimate(s);
    if (!o) return 1;
    const Headline h = headline(s, *o);
    return std::clamp<long long>(std::llround(h.resilience.interval / h.step), 1, training_steps(s));
}

namespace {

constexpr const char* fill_in = "FILL_IN";

// What no framework here has a switch for.
Sentences beyond_all(const Scenario& s) {
    for (int t = 0; t < traffics; ++t)
        if (codec_of(s, Traffic(t)).kind != CodecKind::none)
            return {phrase("No framework here is told to compress what ranks exchange. Nearest: no compression.")};
    return {};
}

Sentences beyond(const Scenario& s, Framework f) {
    switch (f) {
        case Framework::megatron: return beyond_megatron(s, title_of(f));
        case Framework::deepspeed: return beyond_deepspeed(s);
        case Framework::fsdp: return beyond_fsdp(s);
        case Framework::torchtitan: return beyond_torchtitan(s);
        case Framework::bridge: return beyond_bridge(s);
        case Framework::trainer: return beyond_trainer(s);
        case Framework::torchtune: return beyond_torchtune(s);
        case Framework::axolotl: return beyond_axolotl(s);
    }
    return {};
}

struct TuningWriter {
    Software software;
    Framework framework;
};
constexpr TuningWriter tuning_writers[] = {{Software::torchtune, Framework::torchtune},
                                           {Software::transformers, Framework::axolotl},
                                           {Software::transformers_deepspeed, Framework::axolotl},
                                           {Software::megatron, Framework::bridge}};

std::optional<Framework> tuning_framework(const Stack& stack) {
    for (const TuningWriter& row : tuning_writers)
        if (stack.software == row.software) return row.framework;
    return std::nullopt;
}

// A script that begins from nothing is none of a plan that goes on from weights, nor the other way round.
Sentences other_purpose(const Scenario& s, Framework f) {
    const bool tunes_alone = f == Framework::torchtune || f == Framework::axolotl;
    if (s.method.purpose == Purpose::preference && !tunes_alone)
        return {phrase("{1}'s files of preference training are not written here, those of torchtune and axolotl are. "
                       "Nearest: their software, or purpose finetune.",
                       title_of(f))};
    if (!tunes(s.method) && tunes_alone)
        return {phrase("{1} goes on from weights that are there. Nearest: purpose finetune.", title_of(f))};
    if (!tunes(s.method) || tunes_alone || f == Framework::bridge) return {};
    if (const auto own = tuning_framework(s.stack))
        return {phrase("{1}'s script would train from nothing. Fine-tuning with this plan's software is written for "
                       "{2}.",
                       title_of(f), title_of(*own))};
    std::string stacks;
    for (const TuningWriter& row : tuning_writers)
        stacks.append(stacks.empty() ? "" : ", ").append(name_of(row.software));
    return {phrase("{1}'s script would train from nothing, and none is written for fine-tuning with {2}. Software that "
                   "has one: {3}.",
                   title_of(f), visible(s.stack.name), stacks)};
}

// Updates that torchtune alone runs as its single-device recipes do, and states that bitsandbytes moves.
Sentences other_update(const Scenario& s, Framework f) {
    Sentences cannot;
    const bool torchtune = f == Framework::torchtune;
    if (s.recipe.updates_in_backward && !torchtune)
        cannot.push_back(phrase("{1}'s files here update after the backward pass. Nearest: updates_in_backward off.",
                                title_of(f)));
    const Offload& o = s.layout.offload;
    if (o.optimizer != Tier::device && o.paged_optimizer && !torchtune)
        cannot.push_back(phrase("{1}'s files here page no states. Nearest: paged_optimizer off.", title_of(f)));
    return cannot;
}

std::string head(const Scenario& s) {
    const Outcome o = estimate(s);
    return "#!/bin/bash\n" + job_header(s) + comment_line(say_plan(s))
         + (o ? comment_line(say_fit_verdict(*o)) : std::string()) + link_lines(s);
}

std::string continued(std::string command, const Arguments& flags) {
    // Patterns of layers and lists of stages hold what a shell would read; the pattern of experts has its quotes.
    const auto word = [](const std::string& value) {
        const bool plain = value.starts_with('\'') || value.find_first_of("|*") == std::string::npos;
        return plain ? value : shell_word(value);
    };
    for (const Argument& f : flags) command += " \\\n    " + f.name + (f.value.empty() ? "" : " " + word(f.value));
    return command + "\n";
}

// Why the checkpoints are so many steps apart.
std::string say_save_interval(const Scenario& s) {
    const Outcome o = estimate(s);
    if (!o) return {};
    const Resilience& r = headline(s, *o).resilience;
    return comment_line("A checkpoint every " + std::to_string(save_interval(s)) + " steps is one every "
                        + say(r.interval) + (r.optimal ? ", by how often nodes are expected to fail." : "."));
}

// What no plan says, as variables that may also come from outside.
std::string blanks() {
    std::string text = comment_line(std::string("Fill in what is marked ") + fill_in
                                    + ", here and in the lines above.");
    for (const auto& [name, what] : {std::pair{"DATA", "prefix of the tokenized data"},
                                     {"TOKENIZER", "name or folder of the tokenizer"},
                                     {"CHECKPOINTS", "folder of the checkpoints"},
                                     {"LEARNING_RATE", "the peak; its schedule is the framework's unless you say so"}})
        text += std::string(": \"${") + name + ":=" + fill_in + "}\"   # " + what + "\n";
    return text;
}

// Of a timed run nothing has to be filled in.
constexpr const char* timed_flags[] = {"--mock-data", "--tokenizer-type NullTokenizer", "--lr 1e-4", "--eval-iters 0",
                                       "--log-interval 1"};

std::string megatron_script(const Scenario& s, bool timed) {
    const bool deepspeed = s.stack.software == Software::megatron_deepspeed;
    Arguments flags = deepspeed ? megatron_deepspeed_flags(s) : megatron_flags(s);
    const bool invented = timed && !deepspeed;   // Megatron-DeepSpeed reads data
    if (timed) std::erase_if(flags, [](const Argument& a) { return a.name == "--save-interval"; });
    if (invented)
        for (const char* each : timed_flags) flags.push_back({each, {}});
    else
        for (const char* left : {"--lr $LEARNING_RATE", "--data-path $DATA",
                             deepspeed ? "--tokenizer-type HFTokenizer" : "--tokenizer-type HuggingFaceTokenizer",
                                 "--tokenizer-model $TOKENIZER", "--save $CHECKPOINTS", "--load $CHECKPOINTS"})
            if (!timed || std::string_view(left).find("CHECKPOINTS") == std::string_view::npos)
                flags.push_back({left, {}});
    if (timed && deepspeed)
        for (const char* each : {"--eval-iters 0", "--log-interval 1"}) flags.push_back({each, {}});
    const char* program = has_pattern(s.model) ? "pretrain_mamba.py" : "pretrain_gpt.py";
    const std::string config =
        deepspeed ? comment_line("Put this into ds_config.json: " + deepspeed_json(s)) : std::string();
    return head(s) + (invented ? std::string() : blanks()) + rendezvous(s)
         + "export CUDA_DEVICE_MAX_CONNECTIONS=1\n\n" + config
         + (timed ? std::string() : say_save_interval(s)) + continued(launcher_line(s, program), flags);
}

// Writes the program's configuration beside the job and starts it with that.
std::string file_script(const Scenario& s, const std::string& file, const std::string& text, const std::string& program,
                        const std::string& flag) {
    return head(s) + rendezvous(s) + "\ncat > " + file + " <<'EOF'\n" + text + "EOF\n\n" + launcher_line(s, program)
         + " " + flag + " " + file + "\n";
}

// A timed run reads the tokens of torchtitan's own tests, which are in its repository.
constexpr const char* titan_test_tokens =
    "--model.hf_assets_path \"${TORCHTITAN:?folder of the torchtitan repository}/tests/assets/tokenizer\" "
    "--training.dataset_path \"$TORCHTITAN/tests/assets/c4_test\" ";

std::string torchtitan_script(const Scenario& s, bool timed) {
    std::string text = file_script(s, "torchtitan.toml", torchtitan_toml(s, timed), "-m torchtitan.train",
                                   std::string(timed ? titan_test_tokens : "") + "--job.config_file");
    const std::string flavor = torchtitan_flavor(s);
    if (flavor.empty()) return text;
    const std::string module = "\ncat > " + std::string(titan_flavor_module) + ".py <<'EOF'\n" + flavor
                             + "EOF\nexport PYTHONPATH=\"$PWD:$PYTHONPATH\"\n";
    return text.insert(text.find("\ncat > torchtitan.toml"), module);
}

// Recipes are programs that torchtune copies out.
std::string torchtune_script(const Scenario& s) {
    const std::string recipe = torchtune_recipe(s);
    return head(s) + rendezvous(s) + "\ntune cp " + recipe + " " + recipe + ".py\ncat > torchtune.yaml <<'EOF'\n"
         + torchtune_yaml(s) + "EOF\n\n" + launcher_line(s, recipe + ".py") + " --config torchtune.yaml\n";
}

std::string axolotl_script(const Scenario& s, bool timed) {
    const std::string deepspeed = s.stack.software == Software::transformers_deepspeed
                                    ? "\ncat > ds_config.json <<'EOF'\n" + deepspeed_json(s, true) + "EOF\n"
                                    : std::string();
    return head(s) + rendezvous(s) + deepspeed + "\ncat > axolotl.yaml <<'EOF'\n" + axolotl_yaml(s, timed) + "EOF\n\n"
         + launcher_line(s, "-m axolotl.cli.train") + " --config axolotl.yaml\n";
}

std::string trainer_script(const Scenario& s) {
    return head(s) + rendezvous(s) + "\n" + trainer_files(s)
         + continued(launcher_line(s, "train.py"), trainer_arguments(s));
}

}  // namespace
}  // namespace files

std::span<const std::string_view> framework_names() {
    static constexpr std::string_view names[] = {"megatron",   "deepspeed", "fsdp",
                                                  "torchtitan", "bridge",    "trainer",
                                                  "torchtune",  "axolotl"};
    return names;
}

std::string_view title_of(Framework f) {
    static constexpr std::string_view titles[] = {"Megatron-LM", "DeepSpeed", "PyTorch FSDP", "torchtitan",
                                                  "Megatron-Bridge", "Hugging Face Trainer", "torchtune",
                                                  "axolotl"};
    return titles[std::size_t(f)];
}

std::optional<Framework> framework_from(std::string_view name) {
    const auto found = std::ranges::find(framework_names(), name);
    if (found == framework_names().end()) return std::nullopt;
    return Framework(found - framework_names().begin());
}

std::optional<Framework> usual_framework(const Scenario& s) {
    return tunes(s.method) ? files::tuning_framework(s.stack) : std::optional(Framework::megatron);
}

namespace {

Expected<std::string, std::vector<std::string>> script_of(const Scenario& s, Framework f, bool timed) {
    std::vector<std::string> cannot;
    const Outcome outcome = estimate(s);
    if (!outcome)
        for (const Obstacle& o : outcome.error()) cannot.push_back(say(o));
    else if (fit_verdict(*outcome) == FitVerdict::does_not_fit)
        cannot.push_back("Stage " + std::to_string(outcome->worst_stage) + " needs " + say(outcome->worst().total())
                         + " of " + say(outcome->memory_limit) + ". " + say_fit_verdict(*outcome));
    if (const Sentences other = files::other_purpose(s, f); outcome && !other.empty())
        cannot.insert(cannot.end(), other.begin(), other.end());
    else if (outcome)
        for (const Sentences& all : {files::beyond_all(s), files::other_update(s, f), files::beyond(s, f)})
            cannot.insert(cannot.end(), all.begin(), all.end());
    if (!cannot.empty()) return Unexpected{std::move(cannot)};
    switch (f) {
        case Framework::megatron: return files::megatron_script(s, timed);
        case Framework::deepspeed:
            return files::file_script(s, "ds_config.json", files::deepspeed_json(s), "$TRAIN",
                                      "--deepspeed --deepspeed_config");
        case Framework::fsdp: return files::file_script(s, "fsdp.json", files::fsdp_json(s), "$TRAIN", "--config");
        case Framework::torchtitan:
            return files::torchtitan_script(s, timed);
        case Framework::bridge:
            return files::file_script(s, "bridge.yaml", files::bridge_yaml(s), "$TRAIN", "--config-file");
        case Framework::trainer: return files::trainer_script(s);
        case Framework::torchtune: return files::torchtune_script(s);
        case Framework::axolotl: return files::axolotl_script(s, timed);
    }
    return std::string();
}

}  // namespace

Expected<std::string, std::vector<std::string>> launch_script(const Scenario& s, Framework f) {
    return script_of(s, f, false);
}

Expected<std::string, std::vector<std::string>> timed_script(const Scenario& s, Framework f, int steps) {
    Scenario some = s;
    set_tokens(some.recipe, steps * tokens_of_step(s.recipe));
    return script_of(some, f, true);
}

}  // namespace plimsoll

// What stands around a program on each site's scheduler.

namespace plimsoll::files {

namespace {

struct Job {
    int nodes, per_node, devices;
    std::string name;
    std::string walltime;  // hh:mm; empty where the site publishes no limits
    double jobs;
    std::string queue;     // empty where the preset names none
};

Job job_of(const Scenario& s) {
    Job j{nodes_used(s), s.machine.devices_per_node, s.layout.devices, {}, {}, 0, {}};
    if (s.machine.scheduler.job) j.queue = s.machine.scheduler.job->queue;
    for (const unsigned char c : s.model.id.empty() ? s.model.name : s.model.id)
        j.name += std::isalnum(c) ? char(c) : '-';
    j.per_node = std::min(j.per_node, j.devices);
    if (const Outcome o = estimate(s)) {
        const JobChain chain = job_chain(s, headline(s, *o));
        if (!chain.bin.queue.empty()) j.queue = chain.bin.queue;
        if (chain.kind == ChainKind::jobs) {
            j.walltime = hours_and_minutes(chain.walltime);
            j.jobs = chain.jobs;
        }
    }
    return j;
}

// How each scheduler is told the queue and whom to charge; empty: not in the script.
struct QueueOptions {
    std::string_view queue, account;
};
QueueOptions queue_options(BatchKind kind) {
    switch (kind) {
        case BatchKind::slurm: return {"--partition=", "--account="};
        case BatchKind::lsf: return {"-q ", "-P "};
        case BatchKind::pbs: return {"-q ", "-A "};
        case BatchKind::flux: return {"--queue=", "--bank="};
        case BatchKind::pjm: return {"-L rscgrp=", "-g "};
        case BatchKind::grid_engine: break;
    }
    return {};
}

// On devices that are processors there is nothing to ask for but nodes.
bool has_accelerators(const Scenario& s) { return s.machine.host.link > ByteRate{}; }

}  // namespace

std::string job_header(const Scenario& s, Seconds walltime) {
    Job j = job_of(s);
    if (walltime > Seconds{}) {
        j.walltime = hours_and_minutes(walltime);
        j.jobs = 1;
    }
    const auto kind = batch_kind(s.machine.scheduler);
    if (!kind) return {};
    std::string text =
        header_lines(*kind, {j.name, j.nodes, j.per_node, has_accelerators(s) ? j.per_node : 0, j.walltime});
    const QueueOptions options = queue_options(*kind);
    for (const auto& [option, value] : {std::pair{options.queue, j.queue}, {options.account, std::string()}})
        if (!option.empty())
            text.append(directive_prefix(*kind)).append(option).append(value.empty() ? fill_in : value).append("\n");
    if (j.jobs > 1) text += "# One of " + std::to_string((long long)j.jobs) + " jobs that follow each other.\n";
    return text;
}

std::string rendezvous(const Scenario& s) {
    const char* first = "localhost";
    if (const auto kind = batch_kind(s.machine.scheduler)) switch (*kind) {
        case BatchKind::slurm: first = "$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)"; break;
        case BatchKind::lsf: first = "$(sort -u \"$LSB_DJOB_HOSTFILE\" | grep -v batch | head -n 1)"; break;
        case BatchKind::pbs: first = "$(head -n 1 \"$PBS_NODEFILE\")"; break;
        case BatchKind::flux: first = "$(flux hostlist -n 0 local)"; break;
        case BatchKind::pjm: first = "$(head -n 1 \"$PJM_O_NODEINF\")"; break;
        case BatchKind::grid_engine: first = "$(head -n 1 \"$SGE_JOB_HOSTLIST\")"; break;
    }
    return "export MASTER_ADDR=" + std::string(first)
         + " MASTER_PORT=29500 WORLD_SIZE=" + std::to_string(s.layout.devices) + "\n";
}

namespace {

// PyTorch's ranks from those the launcher sets.
std::string ranked(const std::string& launcher, const char* rank, const char* local, const std::string& program) {
    return launcher + " bash -c 'export RANK=$" + rank + " LOCAL_RANK=$" + local + "; exec \"$@\"' sh python -u "
         + program;
}

}  // namespace

std::string launcher_line(const Scenario& s, const std::string& program) {
    const Job j = job_of(s);
    const std::string n = std::to_string(j.nodes), per = std::to_string(j.per_node), all = std::to_string(j.devices);
    const std::string& launcher = s.machine.scheduler.launcher;
    const bool pmi = batch_kind(s.machine.scheduler) == BatchKind::pbs;  // MPICH and Cray's PALS; Open MPI elsewhere
    const char* rank = pmi ? "PMI_RANK" : "OMPI_COMM_WORLD_RANK";
    const char* local = pmi ? "PMI_LOCAL_RANK" : "OMPI_COMM_WORLD_LOCAL_RANK";
    if (launcher.starts_with("srun"))
        return ranked("srun --nodes=" + n + " --ntasks-per-node=" + per, "SLURM_PROCID", "SLURM_LOCALID", program);
    if (launcher.find("jsrun") != launcher.npos)  // one resource set a node, with all its devices
        return ranked("jsrun --nrs " + n + " --rs_per_host 1 --tasks_per_rs " + per + " --gpu_per_rs " + per
                          + " --cpu_per_rs ALL_CPUS",
                      rank, local, program);
    if (launcher.find("flux") != launcher.npos)
        return ranked("flux run --nodes=" + n + " --ntasks=" + all + " --gpus-per-task=1", "FLUX_TASK_RANK",
                      "FLUX_TASK_LOCAL_ID", program);
    if (launcher.find("mpiexec") != launcher.npos)
        return ranked("mpiexec -n " + all + (pmi ? " --ppn " + per : ""), rank, local, program);
    if (launcher.find("mpirun") != launcher.npos)
        return ranked("mpirun -np " + all + " -npernode " + per, rank, local, program);
    return "torchrun --nnodes=" + n + " --nproc-per-node=" + per
         + " --rdzv-backend=c10d --rdzv-endpoint=$MASTER_ADDR:$MASTER_PORT " + program;
}

}  // namespace plimsoll::files
