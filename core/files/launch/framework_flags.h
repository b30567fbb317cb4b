#pragma once
// What each framework is told about a plan. Internal to core/files/launch.

#include "core/values/basics/text.h"
#include "core/values/plan/scenario.h"

#include <string>
#include <utility>
#include <vector>

namespace plimsoll::files {

struct Argument {
    std::string name, value;  // value empty: a switch
    bool several = false;     // the value is words, each an argument
};
using Arguments = std::vector<Argument>;

Arguments megatron_flags(const Scenario&);
Sentences beyond_megatron(const Scenario&, std::string_view who);   // whom the sentences are about

// Of Megatron-LM over DeepSpeed: its own arguments, beside a ds_config.json.
Arguments megatron_deepspeed_flags(const Scenario&);

// Under a trainer that has a learning rate of its own, which fills "auto".
std::string deepspeed_json(const Scenario&, bool filled = false);
Sentences beyond_deepspeed(const Scenario&);

std::string fsdp_json(const Scenario&);
Sentences beyond_fsdp(const Scenario&);

// torchtitan's TOML: its models are its own, named by family and flavor. One with another number of layers is a flavor
// that a Python module beside the file adds; its text is empty where the plan's model is torchtitan's own.
inline constexpr std::string_view titan_flavor_module = "plan_flavor";
std::string torchtitan_flavor(const Scenario&);
std::string torchtitan_toml(const Scenario&, bool timed);
Sentences beyond_torchtitan(const Scenario&);

// Megatron-Bridge's settings over a recipe, in YAML: what Megatron-LM is told, in its words.
std::string bridge_yaml(const Scenario&);
Sentences beyond_bridge(const Scenario&);

// Fine-tuning, in torchtune's, axolotl's and Megatron-Bridge's words; a recipe of torchtune is a program of its own.
std::string torchtune_recipe(const Scenario&);
std::string torchtune_yaml(const Scenario&);
Sentences beyond_torchtune(const Scenario&);
std::string axolotl_yaml(const Scenario&, bool timed);
Sentences beyond_axolotl(const Scenario&);
std::string bridge_data(const Scenario&);       // examples and how they fill rows
std::string bridge_adapters(const Scenario&);
Sentences beyond_bridge_tuning(const Scenario&);

// Trainers count pairs of answers where preferences are trained.
inline int sequences_of_sample(const Scenario& s) { return s.method.purpose == Purpose::preference ? 2 : 1; }

// Steps between two checkpoints, at least one.
long long save_interval(const Scenario&);
long long training_steps(const Scenario&);

// Hugging Face's Trainer: model/config.json and a program of its own, then the program's arguments.
std::string trainer_files(const Scenario&);
Arguments trainer_arguments(const Scenario&);
Sentences beyond_trainer(const Scenario&);

// ---- The job around them

// Lines for the scheduler: "#SBATCH --nodes=128". A job that ends sooner than the plan says for how long it asks.
std::string job_header(const Scenario&, Seconds walltime = {});
// Where the ranks meet: "export MASTER_ADDR=... MASTER_PORT=29500 WORLD_SIZE=1024".
std::string rendezvous(const Scenario&);
// What starts `program` on every device: "srun ... python -u pretrain_gpt.py".
std::string launcher_line(const Scenario&, const std::string& program);

}  // namespace plimsoll::files
