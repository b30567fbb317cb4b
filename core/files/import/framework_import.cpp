#include "core/files/import/framework_import.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/software.h"
#include "core/files/import/framework_reading.h"
#include "core/files/presets/preset_json.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/ranges.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace plimsoll {

namespace files {

namespace {

// What anybody may state beside a file is stated as an option: there "hidden_size" of a file is no word of ours.
const SettingRow* row_of(const std::vector<std::span<const SettingRow>>& tables, const PlacedSetting& p) {
    const bool of_tokenizer = p.name.find("tokenizer.") != p.name.npos;   // has its own widths and models
    for (const auto& table : tables) {
        if (table.data() == spoken_rows().data() && !p.s.key.starts_with("--")) continue;
        const SettingRow* best = nullptr;   // the one that says most of the group
        for (const SettingRow& row : table)
            if ((!of_tokenizer || row.key.starts_with("tokenizer."))
                && (row.key == p.name || p.name.ends_with("." + std::string(row.key)))
                && (!best || row.key.size() > best->key.size()))
                best = &row;
        if (best) return best;
    }
    return nullptr;
}

// As much of a value as a sentence bears.
std::string beginning_of(const std::string& value) {
    const std::string begin = value.substr(0, 80);
    return begin.substr(0, begin.size() - incomplete_end(begin));
}

Problems one_problem(std::string why) { return {{Severity::error, {}, {}, std::move(why)}}; }

// ---- One import

class Importing {
public:
    Importing(Reading r, const Library& library, const PlanImportOptions& o)
        : read_(std::move(r)), library_(library), options_(o) {}

    Expected<ImportedPlan, Problems> run() {
        if (auto why = refused()) return Unexpected{*std::move(why)};
        rows_ = rows_of(dialect_, read_.signs);
        titan_ = dialect_ == Dialect::torchtitan || (dialect_ == Dialect::primus && read_.titan());
        PlanDraft first = fresh(nullptr, !titan_);
        take_all(first, false);
        settle_model(first, nullptr, !titan_);
        const Model* base = base_for(first);
        PlanDraft draft = fresh(base, shape_stated_);
        take_all(draft, true);
        say_what_is_overridden();
        if (auto lacking = facts_lacking(draft, base)) return Unexpected{*std::move(lacking)};
        Scenario plan;
        settle_model(draft, base, shape_stated_);
        plan.model = draft.model;
        choose_machine(plan);
        choose_stack(plan, draft);
        plan.layout = draft.layout;
        plan.recipe = draft.recipe;
        settle_method(plan, draft, dialect_, read_.signs.preferences(), read_.remarks);
        settle_recipe(plan, draft);
        if (dialect_ == Dialect::torchtune) prepare_torchtune(plan, draft);
        settle_layout(plan, draft, read_, options_.devices, titan_);
        if (dialect_ == Dialect::torchtune && plan.layout.devices == 1) plan.layout.zero_stage = 0;
        settle_tokens(plan, draft);
        plan.name = !options_.name.empty() ? options_.name : plan.model.name + " from " + std::string(say(dialect_));
        return finished(std::move(plan), draft);
    }

private:
    void remark(SettingFate fate, std::string key, std::string value, std::string done, std::string place = {}) {
        read_.remarks.push_back({fate, std::move(key), std::move(value), std::move(done), std::move(place)});
    }
    void missing(const char* key, std::string done) { remark(SettingFate::missing, key, {}, std::move(done)); }

    // ---- What is no plan

    // Whose file it is, or why it cannot be a plan.
    std::optional<Problems> refused() {
        const std::string_view whose = read_.signs.refused();
        if (read_.signs.asks_for_rewards())
            return one_problem(phrase("this is a configuration of {1}, which is not read: plans have no reward models "
                                      "and generate no answers (PPO, GRPO). Nearest: preference training on answers "
                                      "that are given (DPO, KTO, ORPO), in the words of TRL, axolotl, LLaMA-Factory "
                                      "or torchtune",
                                      std::string(whose)));
        if (!whose.empty())
            return one_problem(phrase("this is a configuration of {1}, which is not read. State layers, widths, batch, "
                                  "sequence length and parallel degrees as arguments of Megatron-LM instead",
                                  std::string(whose)));
        const auto asked = [](const Setting& s) {
            return visible(beginning_of(s.key + (s.value.empty() ? "" : " " + s.value)));
        };
        if (const auto& s = read_.signs.beyond_plans())
            return one_problem(phrase("{1} asks for training that is not modelled. Plans train all weights, or "
                                      "adapters beside weights in 16 bits, int8 or NF4",
                                      asked(*s)));
        if (const auto& s = read_.signs.adapter(); s && !reads_adapters(read_.signs.dialect()))
            return one_problem(phrase("{1} asks for adapters or quantised weights, which are not read in the words of "
                                      "this trainer: their states and gradients are other than those of the whole "
                                      "model",
                                      asked(*s)));
        if (const auto known = read_.signs.dialect()) dialect_ = *known;
        else if (!read_.link) return one_problem(read_.not_given.empty() ? nobodys() : reads_it(read_.not_given[0]));
        return std::nullopt;
    }
    static bool reads_adapters(std::optional<Dialect> d) {
        using enum Dialect;
        constexpr Dialect these[] = {torchtune, huggingface, axolotl, automodel, nemo, bridge};
        return d && std::ranges::find(these, *d) != std::end(these);
    }
    static std::string nobodys() {
        std::string known;
        for (std::size_t d = 0; d < dialect_count; ++d)
            known += (known.empty() ? "" : ", ") + std::string(say(Dialect(d)));
        return phrase("no setting of a training framework is found in it that tells whose configuration it is. Read "
                      "are those of {1}",
                      known);
    }

    // A plan needs model, batch and sequence length from the files: nothing published stands in for them.
    std::optional<Problems> facts_lacking(const PlanDraft& d, const Model* base) const {
        Problems all;
        const auto lacks = [&](std::string why) { all.push_back({Severity::error, {}, {}, std::move(why)}); };
        if (!base && !shape_stated_ && model_name_.empty())
            lacks(phrase("the files do not say which model is trained: give its config.json with them, or state "
                         "--num-layers, --hidden-size and --num-attention-heads in a file of arguments"));
        else if (!base && !shape_stated_)
            lacks(phrase("no preset is called {1}: give the model's config.json with the files", visible(model_name_)));
        if (d.frozen_bits > 0 && !asks_for_adapters(d))
            lacks(phrase("{1} quantises the weights, and no setting asks for adapters beside them: quantised weights "
                         "are not trained",
                         visible(beginning_of(d.frozen_by))));
        const bool batch = d.said.contains("recipe.global_batch_sequences") || d.said.contains("layout.micro_batch")
                        || d.local_batch > 0 || d.batch_tokens > 0;
        if (!batch)
            lacks(phrase("the files do not say the batch: state --global-batch-size in a file of arguments, such as "
                         "batch.args, and give it with them"));
        if (d.recipe.sequence_length <= 0 && !read_.link && !read_.model)
            lacks(phrase("the files do not say the sequence length: state --seq-length in a file of arguments, such as "
                         "length.args, and give it with them"));
        const bool lacking = !all.empty();
        for (const std::string& name : read_.not_given)
            if (lacking) lacks(reads_it(name));
        for (const ImportRemark& r : read_.remarks)
            if (r.fate == SettingFate::not_understood && decides(r, lacking))
                lacks(phrase("{1} is {2}, which cannot be read", visible(r.key), visible(beginning_of(r.value))));
        if (all.empty() && shape_stated_ && !has_latent_attention(d.model) && d.model.hidden <= d.model.heads)
            lacks(phrase("{1} heads share a width of {2}: no head can be one element wide", d.model.heads,
                         d.model.hidden));
        return all.empty() ? std::nullopt : std::optional(std::move(all));
    }
    // Whether the value that was not understood is of a setting without which there is no plan: of layers of another
    // kind always, of model, batch and length where they are lacking.
    bool decides(const ImportRemark& r, bool lacking) const {
        const SettingRow* row = row_of(rows_, {{r.key, r.value, 0, {}}, row_name(r.key), {}});
        if (row && std::string_view(row->knob) == "model.experts.count") return true;
        return row && lacking
            && (std::string_view(row->knob).starts_with("model")
                || std::string_view(row->knob) == "recipe.global_batch_sequences"
                || std::string_view(row->knob) == "layout.micro_batch"
                || std::string_view(row->knob) == "recipe.sequence_length");
    }

    PlanDraft fresh(const Model* base, bool whole) const {
        PlanDraft d;
        if (base) d.model = *base;
        d.launched = read_.link.has_value();
        if (whole) take_defaults(d, dialect_, base);
        d.recipe.tokens = 0;
        d.recipe.sequence_length = 0;
        d.recipe.global_batch_sequences = 0;
        d.recipe.precision = titan_ ? Precision::bf16 : Precision::fp32;
        d.replicas = 1;
        return d;
    }

    void take_all(PlanDraft& d, bool report) {
        std::vector<std::string> unknown_of_list;
        std::string list;
        for (const PlacedSetting& p : read_.settings) {
            const bool variable = p.s.key.starts_with("$");
            const SettingRow* row = row_of(rows_, p);
            if (variable && p.name != "world_size") row = nullptr;
            const bool constant = read_.python && p.s.key.find('.') == p.s.key.npos;   // of the file's own
            if (read_.python && leaf_of(p.name) == "model") row = nullptr;
            if (!row && read_.python) note_model_name(d, p);
            if (!row) {
                if (!report || variable || constant) continue;
                if (!p.listed || is_idle(p)) say_unknown(p);
                else {
                    unknown_of_list.push_back(p.s.key);
                    list = p.file;
                }
                continue;
            }
            if (is_nothing(p.s.value) && p.s.value != "none") {
                if (report) remark(SettingFate::no_effect, p.s.key, p.s.value, {}, place(p));
                continue;
            }
            d.nearest.clear();
            if (row->take(d, p.s)) {
                d.said.insert(row->knob);
                const bool whole = d.nearest.empty();
                if (report && whole) taken_.push_back({read_.remarks.size(), row});
                if (report)
                    remark(whole ? SettingFate::taken : SettingFate::assumed, p.s.key, p.s.value, d.nearest, place(p));
            } else if (report && p.s.value == "auto" && filled_by_trainer()) {
                remark(SettingFate::no_effect, p.s.key, p.s.value, phrase("the trainer fills it from its arguments"),
                       place(p));
            } else if (report && p.s.value == "auto") {
                remark(SettingFate::missing, p.s.key, p.s.value, phrase("left to the program that reads the file"),
                       place(p));
            } else if (report) {
                remark(SettingFate::not_understood, p.s.key, p.s.value,
                       phrase("this value of {1} is not known", label(row->knob)), place(p));
            }
        }
        say_unknown_of_list(std::move(unknown_of_list), list);
    }
    bool filled_by_trainer() const { return dialect_ == Dialect::huggingface || dialect_ == Dialect::axolotl; }

    // A setting that a later one of the same meaning replaces is not in the plan.
    void say_what_is_overridden() {
        std::map<const SettingRow*, std::size_t> last;
        for (const auto& [at, row] : taken_) last[row] = at;
        std::erase_if(taken_, [&](const auto& taken) {
            ImportRemark& earlier = read_.remarks[taken.first];
            const ImportRemark& later = read_.remarks[last[taken.second]];
            if (earlier.value == later.value || taken.first == last[taken.second]) return false;
            earlier.fate = SettingFate::assumed;
            earlier.done = phrase("a later setting replaces it: {1} in {2}", later.value, later.place);
            return true;
        });
    }
    static bool is_idle(const PlacedSetting& p) {
        return p.s.key.starts_with("#") || is_nothing(p.s.value)
            || has_no_effect(p.s.key.starts_with("--") ? p.name : p.s.key) || has_no_effect(p.name);
    }
    void say_unknown(const PlacedSetting& p) {
        const bool idle = is_idle(p);
        remark(idle ? SettingFate::no_effect : SettingFate::not_understood, p.s.key, p.s.value,
               idle ? std::string() : phrase("not known; it is not in the plan"), place(p));
    }
    // Nobody knows which of them somebody set: they are one remark.
    void say_unknown_of_list(std::vector<std::string> names, const std::string& file) {
        if (names.empty()) return;
        constexpr std::size_t most_named = 8;
        const std::size_t all = names.size();
        names.resize(std::min(all, most_named));
        remark(SettingFate::not_understood, phrase("{1} of all arguments", all), {},
               phrase("not known, and not in the plan; a log prints all with their defaults: {1}", joined(names))
                   + (all > most_named ? " ..." : ""),
               file);
    }
    static std::string place(const PlacedSetting& p) { return place_of(p.file, p.s.line); }

    // AutoBridge.from_hf_pretrained("meta-llama/Llama-3.2-1B"), llm.Llama3Config8B().
    void note_model_name(PlanDraft& d, const PlacedSetting& p) const {
        if (!d.model_name.empty()) return;
        const auto is_part = [&](std::size_t i) { return std::isalnum(static_cast<unsigned char>(p.s.value[i])) != 0; };
        for (auto at = p.s.value.find("Config"); at != p.s.value.npos; at = p.s.value.find("Config", at + 6)) {
            std::size_t from = at, to = at + 6;   // llm.Llama3Config8B(...)
            while (from > 0 && is_part(from - 1)) --from;
            while (to < p.s.value.size() && is_part(to)) ++to;
            const std::string name = p.s.value.substr(from, at - from) + p.s.value.substr(at + 6, to - at - 6);
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
        const std::string_view name = knob;
        return name == "model" ? phrase("Model") : name == "documents" ? phrase("Documents") : phrase("Software");
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
        model_name_ = name;
        return nullptr;
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
        const std::string id = read_.link ? read_.link->stack : "";
        const bool linked = library_.stacks.contains(id);
        SoftwareAsked asked = linked ? SoftwareAsked{.preset = id} : software_of(dialect_, read_, d);
        asked.device = plan.machine.device.name;
        asked.or_usual = true;
        plan.stack = chosen_software(asked, library_.stacks).value_or(Stack{});
        remark(linked ? SettingFate::taken : SettingFate::assumed, "stack", linked ? id : std::string(),
               linked ? phrase("the preset that the script names")
                      : phrase("what {1} does besides is the preset {2}", say(dialect_), plan.stack.id));
        if (d.loss_chunks > 0) plan.stack.loss.chunks = d.loss_chunks;
        if (d.said.contains("stack.attention")) {
            const Attention said = d.unfused_attention ? Attention::materialised : Attention::flash;
            if (!(linked && plan.stack.kernels.attention == said)) plan.stack.kernels.attention = said;
        }
    }

    // FSDP2 where there are several devices; a recipe for one device says so in its name alone.
    void prepare_torchtune(Scenario& plan, PlanDraft& d) const {
        if (!d.said.contains("layout.zero_stage")) plan.layout.zero_stage = 3;
        if (read_.single_device && read_.job.devices == 0 && d.devices == 0) d.devices = 1;
    }

    // ---- Batch, tokens, formats

    void settle_recipe(Scenario& plan, PlanDraft& d) {
        Recipe& r = plan.recipe;
        if (!d.zero_file.empty() && !d.zero_stated && read_.not_given.empty())
            missing("ZeRO stage", phrase("{1} says it and was not given: give it with the files. Until then the "
                                         "plan has stage {2}",
                                         visible(beginning_of(d.zero_file)), plan.layout.zero_stage));
        if (r.sequence_length <= 0) {
            r.sequence_length = read_.link && read_.link->sequence_length > 0 ? read_.link->sequence_length
                                                                              : plan.model.sequence_length;
            if (!read_.link)
                missing("sequence length", phrase("the model's own is taken: {1} tokens", r.sequence_length));
        }
        if (d.documents_apart && r.document_length <= 0)
            missing("document length", phrase("attention keeps documents apart, and no file says how long they are: "
                                              "state it. Until then a sequence is one document"));
        const bool pads = r.rows == RowKind::padded || r.rows == RowKind::padded_to_longest;
        if (pads && r.document_length <= 0)
            missing("document length", phrase("examples are padded, and no file says how long they are: state it. "
                                              "Until then rows are full"));
        if (plan.model.sequence_length <= 1) plan.model.sequence_length = r.sequence_length;
        if (r.precision == Precision::fp32 && !d.said.contains("recipe.precision")) {
            const bool usual = dialect_ != Dialect::deepspeed && dialect_ != Dialect::fsdp
                            && dialect_ != Dialect::megatron && dialect_ != Dialect::huggingface;
            if (usual) r.precision = Precision::bf16;
            missing("precision", usual ? phrase("bf16 is taken") : phrase("without a switch it is fp32"));
        }
        if (r.precision == Precision::fp8) {
            const bool lands_apart = r.converted_weights_alone && r.fp8_recipe == Fp8Recipe::mxfp8;
            if (lands_apart) r.gathers_into_gradients = d.reuses_gradients;
            if (d.wide_ends) plan.model.wide = {d.wide_first, d.wide_last, false};
        } else r.converted_weights_alone = false;
        const bool half = r.precision != Precision::fp32;
        const bool megatron_like = !titan_
                                && (dialect_ == Dialect::megatron || dialect_ == Dialect::nemo
                                    || dialect_ == Dialect::bridge || dialect_ == Dialect::primus);
        // Megatron-LM adds bf16 gradients up in fp32 unless it is told not to.
        const bool fp32_sums =
            d.sums_in_fp32.value_or(megatron_like && (r.precision == Precision::bf16 || r.precision == Precision::fp8));
        // Adapters beside weights in 16 bits are fp32 (PEFT), and so are the copies that DeepSpeed and FSDP make.
        const bool loaded = d.loads_16_bits && d.layout.zero_stage == 0 && !trains_adapters(plan.method);
        r.state_format = half && fp32_sums && !d.tells_16_bits ? StateFormat::fp32_moments_fp32_sums
                       : half && (d.all_in_16_bits || loaded)  ? StateFormat::all_16bit
                                                               : StateFormat::fp32_moments;
        if (half && d.bf16_moments) r.state_format.first_moment = r.state_format.second_moment = MomentFormat::bf16;
        // The optimizer that CPUs share asks for it, and keeps every state in the format it had.
        if (half && d.precision_aware && d.layout.offload.optimizer == Tier::device) precision_aware(r, d);
    }

    // Beside bf16 weights Megatron-Core keeps the remainders of its master weights (store_param_remainders), unless
    // they are quantised with scales of the same step.
    void precision_aware(Recipe& r, const PlanDraft& d) {
        const bool whole = r.precision == Precision::fp16
                        || (r.precision == Precision::fp8 && r.fp8_recipe != Fp8Recipe::delayed);
        StateFormat& f = r.state_format;
        f.first_moment = d.first_moment;
        f.second_moment = d.second_moment;
        f.master = d.master == MasterFormat::fp16 || whole ? d.master : MasterFormat::remainders;
        f.one_by_one = named_state(f) == named_state_count;
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
            ask_for_tokens(plan, d);
        }
        r.tokens = std::clamp(r.tokens, 1.0, 1e18);
        if (d.epochs) r.epochs = std::clamp(*d.epochs, ranges::epochs.low, ranges::epochs.high);
    }

    // Until its user says how long to train. What the model was published with is not taken where the files state a
    // length that could not be read.
    void ask_for_tokens(Scenario& plan, const PlanDraft& d) {
        Recipe& r = plan.recipe;
        const bool stated = d.epochs || std::ranges::any_of(read_.remarks, [&](const ImportRemark& m) {
            if (m.fate != SettingFate::not_understood) return false;
            const SettingRow* row = row_of(rows_, {{m.key, m.value, 0, {}}, row_name(m.key), {}});
            return row && std::string_view(row->knob) == "recipe.tokens";
        });
        if (tunes(plan.method)) return ask_for_tokens_of_tuning(plan, d);
        const bool published = !stated && plan.model.training_tokens > 0;
        r.tokens = std::max(published ? plan.model.training_tokens
                                      : 20 * std::round(active_parameters(plan.model) / 1e8) * 1e8,
                            1e9);
        const std::string count = say_count(r.tokens);
        if (d.epochs)
            missing("tokens", phrase("the files count epochs of a data set whose size they do not say: state the "
                                     "tokens. Until then twenty for each active parameter stand in the plan: {1}",
                                     count));
        else if (stated)
            missing("tokens", phrase("the files state a length that could not be read: state the tokens. Until then "
                                     "twenty for each active parameter stand in the plan: {1}",
                                     count));
        else if (published)
            missing("tokens", phrase("no file says how long to train: state the tokens. Until then as many as the "
                                     "model was published with stand in the plan: {1}",
                                     count));
        else
            missing("tokens", phrase("no file says how long to train: state the tokens. Until then twenty for each "
                                     "active parameter stand in the plan: {1}",
                                     count));
    }

    // Nobody fine-tunes for as long as a model was pre-trained.
    void ask_for_tokens_of_tuning(Scenario& plan, const PlanDraft& d) {
        constexpr double steps = 1000;
        Recipe& r = plan.recipe;
        r.tokens = steps * r.global_batch_sequences * r.sequence_length;
        missing("tokens", d.epochs ? phrase("the files count epochs of a data set whose size they do not say: state "
                                            "its examples. Until then a thousand steps stand in the plan: {1}",
                                            say_count(r.tokens))
                                   : phrase("no file says how long to train: state the tokens. Until then a thousand "
                                            "steps stand in the plan: {1}",
                                            say_count(r.tokens)));
    }

    // ---- The end

    Expected<ImportedPlan, Problems> finished(Scenario plan, const PlanDraft& d) {
        name_model(plan.model, d);
        // A plan that cannot be read back is none: ranges are those of every file.
        const std::string file = "the imported plan";
        const auto again = read_scenario(write_scenario(plan, library_), library_, file);
        if (!again) return Unexpected{again.error()};
        ImportedPlan result{again->scenario, dialect_, {}, {}};
        for (const auto& [at, row] : taken_) {
            const Knob* k = find_knob(row->knob);
            read_.remarks[at].done =
                k ? phrase("{1}: {2}", label_in_words(*k), format_value(*k, k->get(result.plan))) : label(row->knob);
        }
        result.remarks = std::move(read_.remarks);
        std::ranges::stable_sort(result.remarks, {}, &ImportRemark::fate);
        const Outcome outcome = estimate(result.plan);
        if (!outcome)
            for (const Obstacle& o : outcome.error()) result.obstacles.push_back(say(o));
        return result;
    }

    // A model that only has the shape of a preset: its own vocabulary is not that one, padded.
    bool is_of_another_vocabulary(const Model& m, const PlanDraft& d) const {
        constexpr double padding = 1.02;
        const auto known = library_.models.find(m.id);
        if (!by_shape_ || !d.said.contains("model.vocabulary") || known == library_.models.end()) return false;
        const double times = double(m.vocabulary) / known->second.vocabulary;
        return times > padding || times < 1 / padding;
    }

    void name_model(Model& m, const PlanDraft& d) {
        if (read_.link && !m.id.empty()) return;
        if (!d.said.contains("model.vocabulary") && (by_shape_ || m.vocabulary <= 1)) {
            if (m.vocabulary <= 1) m.vocabulary = 50257;
            missing("vocabulary", phrase("the tokenizer has it: {1} entries are taken", m.vocabulary));
        }
        if (is_of_another_vocabulary(m, d)) m.id.clear();
        if (!m.id.empty()) return;
        m.name = "Model of " + std::to_string(m.layers) + " layers, width " + std::to_string(m.hidden);
        m.id = "imported-" + std::to_string(m.layers) + "x" + std::to_string(m.hidden);
        m.sources[""] = {SourceKind::user, "imported from a configuration of " + std::string(say(dialect_))};
    }

    Reading read_;
    const Library& library_;
    const PlanImportOptions& options_;
    Dialect dialect_ = Dialect::megatron;
    bool titan_ = false;         // in torchtitan's words
    std::vector<std::span<const SettingRow>> rows_;
    std::vector<std::pair<std::size_t, const SettingRow*>> taken_;   // of the remarks
    std::string model_name_;     // that no preset has
    bool shape_stated_ = false, by_shape_ = false;
};

}  // namespace
}  // namespace files

Expected<ImportedPlan, Problems> import_plan(std::span<const NamedText> texts, const Library& library,
                                             const PlanImportOptions& o) {
    files::Reading reading;
    reading.beside = texts;
    if (texts.empty() || texts.size() > 16)
        return Unexpected{Problems{{Severity::error, {}, {}, "expected one file to sixteen"}}};
    if (!o.machine.empty() && !machine_named(library.machines, o.machine))
        return Unexpected{
            Problems{{Severity::error,
                      {},
                      {},
                      "no machine preset \"" + visible(o.machine) + "\"; 'plimsoll presets machines' lists them"}}};
    // What a command line says goes before the files that it names, and a log before both: it is what ran.
    const auto turn_of = [](const NamedText& t) {
        return t.log ? 2 : files::syntax_of(t.file, t.text) == files::Syntax::arguments ? 1 : 0;
    };
    for (const int turn : {0, 1, 2})
        for (const NamedText& text : texts)
            if (turn_of(text) == turn)
                if (auto read = files::read_configuration(reading, text, o); !read)
                    return Unexpected{std::move(read.error())};
    auto plan = files::Importing(std::move(reading), library, o).run();
    if (plan) return plan;
    Problems problems = plan.error();
    for (Problem& p : problems)
        if (p.file.empty()) p.file = texts.front().file;
    return Unexpected{std::move(problems)};
}

}  // namespace plimsoll
