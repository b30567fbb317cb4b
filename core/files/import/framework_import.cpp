#include "core/files/import/framework_import.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/search/first_plan.h"
#include "core/files/import/framework_reading.h"
#include "core/files/presets/preset_json.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/wording.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace files {

namespace {

std::vector<std::span<const SettingRow>> rows_for(const Reading& r, Dialect d) {
    if (d == Dialect::torchtitan || r.titan) return {torchtitan_rows(), launcher_rows()};
    if (d == Dialect::deepspeed && !r.only_arguments) return {deepspeed_rows(), megatron_rows(), launcher_rows()};
    if (d == Dialect::fsdp) return {fsdp_rows(), megatron_rows(), launcher_rows()};
    return {megatron_rows(), launcher_rows()};
}

const SettingRow* row_of(const std::vector<std::span<const SettingRow>>& tables, const std::string& name) {
    for (const auto& table : tables)
        for (const SettingRow& row : table)
            if (row.key == name || name.ends_with("." + std::string(row.key))) return &row;
    return nullptr;
}

// ---- One import

class Importing {
public:
    Importing(Reading r, const Library& library, const PlanImportOptions& o)
        : read_(std::move(r)), library_(library), options_(o), dialect_(dialect_of(read_)) {}

    Expected<ImportedPlan, Problems> run() {
        rows_ = rows_for(read_, dialect_);
        PlanDraft first = fresh(nullptr, states_whole_model());
        take_all(first, false);
        settle_model(first, nullptr, states_whole_model());
        const Model* base = base_for(first);
        PlanDraft draft = fresh(base, shape_stated_ && states_whole_model());
        take_all(draft, true);
        if (read_.settings.empty() || draft.said.empty())
            return Unexpected{Problems{{Severity::error, {}, {}, "no setting of a training framework is found in it"}}};
        Scenario plan;
        settle_model(draft, base, (shape_stated_ || !base) && states_whole_model());
        plan.model = draft.model;
        choose_machine(plan);
        choose_stack(plan, draft);
        plan.layout = draft.layout;
        plan.recipe = draft.recipe;
        settle_recipe(plan, draft);
        settle_layout(plan, draft);
        plan.name = !options_.name.empty() ? options_.name : plan.model.name + " from " + std::string(say(dialect_));
        return finished(std::move(plan), draft);
    }

private:
    void remark(SettingFate fate, std::string key, std::string value, std::string done, std::string place = {}) {
        read_.remarks.push_back({fate, std::move(key), std::move(value), std::move(done), std::move(place)});
    }
    void missing(const char* key, std::string done) { remark(SettingFate::missing, key, {}, std::move(done)); }

    bool states_whole_model() const {  // what these files leave out has the framework's own default
        return !read_.titan
            && (dialect_ == Dialect::megatron || dialect_ == Dialect::nemo || dialect_ == Dialect::bridge
                || dialect_ == Dialect::primus);
    }

    PlanDraft fresh(const Model* base, bool whole) const {
        PlanDraft d;
        if (base) d.model = *base;
        if (whole) {
            Model& m = d.model;
            m.activation = Activation::gelu;
            m.positions = Positions::learned;
            m.norm = Norm::layer_norm;
            m.tied_embeddings = m.qkv_bias = m.out_bias = m.mlp_bias = m.dropout = true;
            m.vocabulary_padding = 128;
            m.ffn = m.head_dim = m.kv_heads = 0;
            m.experts.count = 0;
            m.latent.kv_rank = base && has_latent_attention(*base) ? base->latent.kv_rank : 0;
        }
        d.recipe.tokens = 0;
        d.recipe.sequence_length = 0;
        d.recipe.global_batch_sequences = 0;
        d.recipe.precision = read_.titan ? Precision::bf16 : Precision::fp32;
        d.replicas = 1;
        return d;
    }

    void take_all(PlanDraft& d, bool report) {
        for (const PlacedSetting& p : read_.settings) {
            const bool variable = p.s.key.starts_with("$");
            const SettingRow* row = row_of(rows_, p.name);
            if (variable && p.name != "world_size") row = nullptr;
            const bool constant = read_.python && p.s.key.find('.') == p.s.key.npos;   // of the file's own
            if (read_.python && leaf_of(p.name) == "model") row = nullptr;
            if (!row && read_.python) note_model_name(d, p);
            if (!row) {
                if (report && !variable && !constant) say_unknown(p);
                continue;
            }
            if (is_nothing(p.s.value) && p.s.value != "none") {
                if (report) remark(SettingFate::no_effect, p.s.key, p.s.value, {}, place(p));
                continue;
            }
            if (row->take(d, p.s)) {
                d.said.insert(row->knob);
                if (report) taken_.push_back({read_.remarks.size(), row->knob});
                if (report) remark(SettingFate::taken, p.s.key, p.s.value, {}, place(p));
            } else if (report && p.s.value == "auto") {
                remark(SettingFate::missing, p.s.key, p.s.value, phrase("left to the program that reads the file"),
                       place(p));
            } else if (report) {
                remark(SettingFate::not_understood, p.s.key, p.s.value,
                       phrase("this value of {1} is not known", label(row->knob)), place(p));
            }
        }
    }
    void say_unknown(const PlacedSetting& p) {
        const bool directive = p.s.key.starts_with("#");
        const bool idle = directive || is_nothing(p.s.value)
                       || has_no_effect(p.s.key.starts_with("--") ? p.name : p.s.key) || has_no_effect(p.name);
        remark(idle ? SettingFate::no_effect : SettingFate::not_understood, p.s.key, p.s.value,
               idle ? std::string() : phrase("not known; it is not in the plan"), place(p));
    }
    static std::string place(const PlacedSetting& p) { return place_of(p.file, p.s.line); }

    // AutoBridge.from_hf_pretrained("meta-llama/Llama-3.2-1B"), llm.Llama3Config8B().
    void note_model_name(PlanDraft& d, const PlacedSetting& p) const {
        if (!d.model_name.empty()) return;
        const auto config = p.s.value.find("Config");
        if (config != p.s.value.npos && config > 0) {  // llm.Llama3Config8B(...)
            const auto dot = p.s.value.rfind('.', config), open = p.s.value.find('(', config);
            const std::string before =
                p.s.value.substr(dot == p.s.value.npos ? 0 : dot + 1, config - (dot == p.s.value.npos ? 0 : dot + 1));
            const std::string name =
                before + p.s.value.substr(config + 6, open == p.s.value.npos ? open : open - config - 6);
            if (model_named(library_, name)) d.model_name = name;
        }
        const auto call = p.s.value.find("from_hf_pretrained(");
        if (call == p.s.value.npos) return;
        const auto from = p.s.value.find_first_of("\"'", call);
        const auto to = from == p.s.value.npos ? from : p.s.value.find_first_of("\"'", from + 1);
        if (to != p.s.value.npos) d.model_name = p.s.value.substr(from + 1, to - from - 1);
    }

    static std::string label(const char* knob) {
        if (const Knob* k = find_knob(knob)) return label_in_words(*k);
        return std::string(knob) == "model" ? phrase("Model") : phrase("Software");
    }

    // ---- The model

    const Model* base_for(const PlanDraft& d) {
        shape_stated_ =
            d.said.contains("model.layers") && d.said.contains("model.hidden") && d.said.contains("model.heads");
        if (read_.link)
            if (const auto found = library_.models.find(read_.link->model); found != library_.models.end()) {
                remark(SettingFate::taken, "model", found->first, phrase("the preset that the script names"));
                return &found->second;
            }
        if (read_.model) return &*read_.model;
        std::string name = d.model_name + (d.model_flavor.empty() ? "" : "-" + d.model_flavor);
        if (name.empty() && !options_.recipe.empty()) name = options_.recipe;
        if (const Model* named = name.empty() ? nullptr : model_named(library_, name)) {
            remark(SettingFate::assumed, "model", name, phrase("the preset {1}", named->id));
            return named;
        }
        if (shape_stated_)
            if (const Model* same = model_of_shape(library_, d.model)) {
                by_shape_ = true;
                remark(SettingFate::assumed, "model", {},
                       phrase("the preset {1} has the same layers and widths; what no setting says is as it has it",
                              same->id));
                return same;
            }
        if (shape_stated_) return nullptr;
        if (!name.empty())
            remark(SettingFate::not_understood, "model", name,
                   phrase("no preset is called so; import the model's config.json with it"));
        const auto nearest = library_.models.find("llama3-8b");
        const Model* otherwise = nearest != library_.models.end() ? &nearest->second
                               : library_.models.empty()          ? nullptr
                                                                  : &library_.models.begin()->second;
        if (otherwise) missing("model", phrase("the files do not say the model's shape: {1} is taken", otherwise->id));
        return otherwise;
    }

    // ---- Machine and software

    void choose_machine(Scenario& plan) {
        const auto take = [&](const std::string& id) {
            const Machine* m = id.empty() ? nullptr : machine_named(library_.machines, id);
            if (m) plan.machine = *m;
            return m != nullptr;
        };
        if (take(options_.machine)) return;
        if (read_.link && take(read_.link->machine))
            return remark(SettingFate::taken, "machine", read_.link->machine,
                          phrase("the preset that the script names"));
        const bool amd = dialect_ == Dialect::primus;
        if (!take(amd ? "mi300x-8" : "dgx-h100") && !library_.machines.empty())
            plan.machine = library_.machines.begin()->second;
        missing("machine", phrase("configurations do not name the machine: {1} is taken", plan.machine.id));
    }

    void choose_stack(Scenario& plan, PlanDraft& d) {
        std::string id = read_.link ? read_.link->stack : "";
        const bool linked = library_.stacks.contains(id);
        if (!linked) switch (dialect_) {
                case Dialect::megatron:
                case Dialect::bridge:
                    id = "megatron-core";
                    break;
                case Dialect::nemo:
                    id = read_.python ? "megatron-core" : "nemo-24.07";
                    break;
                case Dialect::torchtitan:
                    id = d.compiled ? "torchtitan-compile" : "torchtitan-eager";
                    break;
                case Dialect::deepspeed:
                    id = d.layout.zero_stage == 3 ? "deepspeed-zero3" : "deepspeed-megatron-flash";
                    break;
                case Dialect::fsdp:
                    id = "pytorch-fsdp";
                    break;
                case Dialect::primus:
                    id = read_.titan ? "torchtitan-compile" : "primus";
                    break;
            }
        const auto found = library_.stacks.find(id);
        if (found != library_.stacks.end()) plan.stack = found->second;
        else plan.stack = usual_stack(plan.machine.device, library_.stacks);
        remark(linked ? SettingFate::taken : SettingFate::assumed, "stack", linked ? id : std::string(),
               linked ? phrase("the preset that the script names")
                      : phrase("what {1} does besides is the preset {2}", say(dialect_), plan.stack.id));
        if (d.said.contains("stack.attention")) {
            const Attention said = d.unfused_attention ? Attention::materialised : Attention::flash;
            if (!(linked && plan.stack.attention == said)) plan.stack.attention = said;
        }
    }

    // ---- Batch, tokens, formats

    void settle_recipe(Scenario& plan, PlanDraft& d) {
        Recipe& r = plan.recipe;
        if (r.sequence_length <= 0) {
            r.sequence_length = read_.link && read_.link->sequence_length > 0 ? read_.link->sequence_length
                                                                              : plan.model.sequence_length;
            if (!read_.link)
                missing("sequence length", phrase("the model's own is taken: {1} tokens", r.sequence_length));
        }
        if (plan.model.sequence_length <= 1) plan.model.sequence_length = r.sequence_length;
        if (r.precision == Precision::fp32 && !d.said.contains("recipe.precision")) {
            const bool usual =
                dialect_ != Dialect::deepspeed && dialect_ != Dialect::fsdp && dialect_ != Dialect::megatron;
            if (usual) r.precision = Precision::bf16;
            missing("precision", usual ? phrase("bf16 is taken") : phrase("without a switch it is fp32"));
        }
        const bool half = r.precision != Precision::fp32;
        const bool megatron_like = states_whole_model();
        // Megatron-LM adds bf16 gradients up in fp32 unless it is told not to.
        const bool fp32_sums =
            d.sums_in_fp32.value_or(megatron_like && (r.precision == Precision::bf16 || r.precision == Precision::fp8));
        r.bytes_per_parameter = half && fp32_sums && !d.tells_16_bits ? 18 : half && d.all_in_16_bits ? 8 : 16;
    }

    void settle_tokens(Scenario& plan, const PlanDraft& d) {
        Recipe& r = plan.recipe;
        const double sequence = r.sequence_length;
        if (d.tokens) r.tokens = *d.tokens;
        else if (d.samples) r.tokens = *d.samples * sequence;
        else if (d.steps) {
            r.tokens = *d.steps * r.global_batch_sequences * sequence;
            // A script counts whole steps; the line that links it says what was asked for.
            const double step = double(r.global_batch_sequences) * sequence;
            if (read_.link && read_.link->tokens > 0 && std::ceil(read_.link->tokens / step) == *d.steps)
                r.tokens = read_.link->tokens;
        } else if (read_.link && read_.link->tokens > 0) r.tokens = read_.link->tokens;
        else {
            r.tokens = plan.model.training_tokens > 0 ? plan.model.training_tokens
                                                      : 20 * std::round(active_parameters(plan.model) / 1e8) * 1e8;
            r.tokens = std::max(r.tokens, 1e9);
            missing("tokens", plan.model.training_tokens > 0
                                  ? phrase("as many as the model was published with: {1}", say_count(r.tokens))
                                  : phrase("twenty for each active parameter: {1}", say_count(r.tokens)));
        }
        r.tokens = std::clamp(r.tokens, 1.0, 1e18);
    }

    // ---- Layout

    void settle_layout(Scenario& plan, PlanDraft& d) {
        Layout& l = plan.layout;
        const long long shares = std::max(1LL, l.model_parallel());
        choose_devices(plan, d, shares);
        l.data_parallel = int(std::max(1LL, l.devices / shares));
        if (l.pipeline_parallel > 1) {
            if (d.layers_per_chunk > 0)
                l.virtual_stages =
                    std::max(1, int(plan.model.layers / (1LL * l.pipeline_parallel * d.layers_per_chunk)));
            if (l.schedule == Schedule::one_f_one_b && l.virtual_stages > 1) l.schedule = Schedule::interleaved;
            if (l.schedule == Schedule::interleaved && l.virtual_stages == 1) l.virtual_stages = 2;
        } else l.virtual_stages = 1;
        if (read_.titan) settle_titan(plan, d);
        choose_batch(plan, d);
        if (l.recompute == Recompute::none || recomputes_all(d)) l.recompute_layers = 0;
        if (d.optimizer_copies > 1) l.shard_group = int(std::max(1LL, l.weight_replicas() / d.optimizer_copies));
        if (d.megatron_fsdp.value_or(true)) l.zero_stage = std::max(l.zero_stage, d.fsdp_stage);
        if (l.zero_stage == 0) l.shard_group = 0;
        if (l.zero_stage < 3) l.secondary_shard = 0;
        if (plan.model.experts.count == 0) l.expert_parallel = l.expert_tensor_parallel = 1;
        else if (!d.said.contains("layout.expert_tensor_parallel") && states_whole_model())
            l.expert_tensor_parallel = l.tensor_parallel;
        settle_tokens(plan, d);
        choose_split(plan, d);
    }

    // "uniform" recomputes every layer, in groups of so many.
    bool recomputes_all(const PlanDraft&) const {
        for (const PlacedSetting& p : read_.settings)
            if ((leaf_of(p.name) == "recompute_method" || leaf_of(p.name) == "activations_checkpoint_method")
                && p.s.value == "uniform")
                return true;
        return false;
    }

    void choose_devices(Scenario& plan, const PlanDraft& d, long long shares) {
        Layout& l = plan.layout;
        constexpr long long most = 1 << 24;
        const int per_node = d.devices_per_node > 0 ? d.devices_per_node : plan.machine.devices_per_node;
        long long devices = options_.devices;
        if (devices == 0) devices = d.devices;
        if (devices == 0 && (d.nodes > 0 || d.devices_per_node > 0)) devices = 1LL * std::max(1, d.nodes) * per_node;
        if (devices == 0 && d.accumulated > 0 && l.micro_batch > 0 && plan.recipe.global_batch_sequences > 0)
            devices = plan.recipe.global_batch_sequences / (1LL * d.accumulated * l.micro_batch) * shares;
        if (devices == 0 && read_.titan && d.shards > 0) devices = 1LL * d.shards * d.replicas * shares;
        if (devices <= 0) {
            devices = (shares + per_node - 1) / per_node * per_node;
            const long long experts = 1LL * std::max(1, l.expert_parallel) * std::max(1, l.expert_tensor_parallel);
            while (devices < most && devices / shares * l.tensor_parallel * l.context_parallel % experts != 0)
                devices += per_node;
            missing("devices", phrase("the fewest whole nodes that hold one copy: {1}",
                                      say_count(double(std::min(devices, most)))));
        }
        devices = std::min(devices, most);
        if (devices % shares != 0) {
            const long long nearest = std::max(1LL, devices / shares) * shares;
            remark(SettingFate::assumed, "devices", std::to_string(devices),
                   phrase("its parallel degrees need a multiple of {1}: {2} are taken", shares, nearest));
            devices = nearest;
        }
        l.devices = int(std::min(devices, most));
    }

    void choose_batch(Scenario& plan, const PlanDraft& d) {
        Layout& l = plan.layout;
        int& batch = plan.recipe.global_batch_sequences;
        const long long ranks = std::max(1, l.data_parallel);
        if (batch > 0) return;
        if (read_.titan && d.local_batch > 0) batch = int(std::min(1LL << 24, ranks * d.local_batch));
        else if (d.accumulated > 0) batch = int(std::min(1LL << 24, ranks * d.accumulated * l.micro_batch));
        else {
            const long long micro_batches = l.pipeline_parallel > 1 ? 4LL * l.pipeline_parallel : 1;
            batch = int(std::min(1LL << 24, ranks * l.micro_batch * micro_batches));
            missing("global batch", phrase("{1} sequences are taken", batch));
        }
    }

    // FSDP2 on a mesh of copies and shards; tensor parallelism always splits the sequence too.
    void settle_titan(Scenario& plan, const PlanDraft& d) {
        Layout& l = plan.layout;
        l.sequence_parallel = l.tensor_parallel > 1;
        const int copies = std::max(1, d.replicas),
                  shards = d.shards > 0 ? d.shards : std::max(1, l.data_parallel / copies);
        l.zero_stage = shards * l.context_parallel > 1 ? (d.reshards.value_or(l.pipeline_parallel == 1) ? 3 : 2) : 0;
        l.shard_group = copies > 1 && l.zero_stage > 0 ? shards * l.context_parallel : 0;
        if (l.pipeline_parallel == 1 && d.local_batch > 0) l.micro_batch = d.local_batch;
        if (l.pipeline_parallel > 1 && d.local_batch > 0) l.micro_batch = std::clamp(l.micro_batch, 1, d.local_batch);
    }

    // Which of our ways to share out the layers gives the ends as many.
    void choose_split(Scenario& plan, const PlanDraft& d) {
        if (d.first_stage_layers <= 0 && d.last_stage_layers <= 0) return;
        if (plan.layout.pipeline_parallel < 2 || plan.model.layers > 4096
            || plan.layout.pipeline_parallel > plan.model.layers)
            return;
        for (const StageSplit split :
             {StageSplit::even, StageSplit::min_max, StageSplit::by_cost, StageSplit::holmes_floor}) {
            plan.layout.stage_split = split;
            const bool first = d.first_stage_layers <= 0 || layers_of_stage(plan, 0) == d.first_stage_layers;
            const bool last = d.last_stage_layers <= 0
                           || layers_of_stage(plan, plan.layout.pipeline_parallel - 1) == d.last_stage_layers;
            if (first && last) return;
        }
        plan.layout.stage_split = StageSplit::even;
        remark(SettingFate::assumed, "layers of the first and last stage", {}, phrase("layers are shared out evenly"));
    }

    // ---- The end

    Expected<ImportedPlan, Problems> finished(Scenario plan, const PlanDraft& d) {
        name_model(plan.model, d);
        // A plan that cannot be read back is none: ranges are those of every file.
        const std::string file = "the imported plan";
        const auto again = read_scenario(write_scenario(plan, library_), library_, file);
        if (!again) return Unexpected{again.error()};
        ImportedPlan result{again->scenario, dialect_, {}, {}};
        for (const auto& [at, knob] : taken_) {
            const Knob* k = find_knob(knob);
            read_.remarks[at].done =
                k ? phrase("{1}: {2}", label_in_words(*k), format_value(*k, k->get(result.plan))) : label(knob);
        }
        result.remarks = std::move(read_.remarks);
        std::ranges::stable_sort(result.remarks, {}, &ImportRemark::fate);
        const Outcome outcome = estimate(result.plan);
        if (!outcome)
            for (const Obstacle& o : outcome.error()) result.obstacles.push_back(say(o));
        return result;
    }

    void name_model(Model& m, const PlanDraft& d) {
        if (read_.link && !m.id.empty()) return;
        if (!d.said.contains("model.vocabulary") && (by_shape_ || m.vocabulary <= 1)) {
            if (m.vocabulary <= 1) m.vocabulary = 50257;
            missing("vocabulary", phrase("the tokenizer has it: {1} entries are taken", m.vocabulary));
        }
        if (!m.id.empty()) return;
        m.name = "Model of " + std::to_string(m.layers) + " layers, width " + std::to_string(m.hidden);
        m.id = "imported-" + std::to_string(m.layers) + "x" + std::to_string(m.hidden);
        m.sources[""] = {SourceKind::user, "imported from a configuration of " + std::string(say(dialect_))};
    }

    Reading read_;
    const Library& library_;
    const PlanImportOptions& options_;
    Dialect dialect_;
    std::vector<std::span<const SettingRow>> rows_;
    std::vector<std::pair<std::size_t, const char*>> taken_;
    bool shape_stated_ = false, by_shape_ = false;
};

}  // namespace
}  // namespace files

Expected<ImportedPlan, Problems> import_plan(std::span<const NamedText> texts, const Library& library,
                                             const PlanImportOptions& o) {
    files::Reading reading;
    if (texts.empty() || texts.size() > 16)
        return Unexpected{Problems{{Severity::error, {}, {}, "expected one file to sixteen"}}};
    if (!o.machine.empty() && !machine_named(library.machines, o.machine))
        return Unexpected{
            Problems{{Severity::error,
                      {},
                      {},
                      "no machine preset \"" + visible(o.machine) + "\"; 'plimsoll presets machines' lists them"}}};
    for (const NamedText& text : texts)
        if (auto read = files::read_configuration(reading, text, o); !read) return Unexpected{std::move(read.error())};
    auto plan = files::Importing(std::move(reading), library, o).run();
    if (plan) return plan;
    Problems problems = plan.error();
    for (Problem& p : problems)
        if (p.file.empty()) p.file = texts.front().file;
    return Unexpected{std::move(problems)};
}

}  // namespace plimsoll
