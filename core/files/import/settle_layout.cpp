// How a plan's devices are shared out: what the files say of degrees, batch and sharding, put together.
#include "core/files/import/framework_reading.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/plan/share.h"

#include <algorithm>

namespace plimsoll::files {

namespace {

class LayoutInTurn {
public:
    LayoutInTurn(Reading& read, int devices_asked, bool titan)
        : read_(read), devices_asked_(devices_asked), titan_(titan) {}

    void settle(Scenario& plan, PlanDraft& d) {
        Layout& l = plan.layout;
        const long long shares = std::max(1LL, l.model_parallel());
        choose_devices(plan, d, shares);
        l.data_parallel = int(std::max(1LL, l.devices / shares));
        if (l.pipeline_parallel > 1) {
            // Megatron counts the chunks of the list, and takes no other number of them.
            if (!l.stages.empty()) l.virtual_stages = std::max(1, l.stages.stages() / l.pipeline_parallel);
            else if (d.layers_per_chunk > 0)
                l.virtual_stages =
                    std::max(1, int(plan.model.layers / (1LL * l.pipeline_parallel * d.layers_per_chunk)));
            if (l.schedule == usual_schedule(1)) l.schedule = usual_schedule(l.virtual_stages);
            l.virtual_stages = std::max(l.virtual_stages, schedule_kind(l.schedule).least_chunks);
        } else l.virtual_stages = 1;
        if (l.micro_batch_group <= l.pipeline_parallel || !schedule_kind(l.schedule).in_rounds) l.micro_batch_group = 0;
        if (titan_) settle_titan(plan, d);
        else share_within_copies(plan, d);
        settle_batch_in_tokens(plan, d);
        choose_batch(plan, d);
        normalise(l);
        if (d.recomputed_share > 0 && d.recomputed_share < 1)
            l.recompute_layers = std::max(1, int(d.recomputed_share * plan.model.layers / l.pipeline_parallel));
        if (l.recompute == Recompute::none || recomputes_all()) l.recompute_layers = 0;
        if (d.optimizer_copies > 1) l.shard_group = int(std::max(1LL, l.weight_replicas() / d.optimizer_copies));
        if (d.megatron_fsdp.value_or(true)) l.zero_stage = std::max(l.zero_stage, d.fsdp_stage);
        if (l.zero_stage == 0) l.shard_group = 0;
        if (l.zero_stage < 3) l.secondary_shard = 0;
        if (l.offload.optimizer == Tier::device) l.offload.optimizer_share = 1;
        if (plan.model.experts.count == 0) l.expert_parallel = l.expert_tensor_parallel = 1;
        else if (!d.said.contains("layout.expert_tensor_parallel") && !titan_)
            l.expert_tensor_parallel = l.tensor_parallel;
        choose_split(plan, d);
    }

private:
    void remark(SettingFate fate, std::string key, std::string value, std::string done) {
        read_.remarks.push_back({fate, std::move(key), std::move(value), std::move(done), {}});
    }

    // Counts of tokens as sequences, once the sequence length is known.
    static void settle_batch_in_tokens(Scenario& plan, const PlanDraft& d) {
        const double sequence = std::max(1, plan.recipe.sequence_length), most = 1 << 24;
        const auto sequences = [&](double tokens) { return int(std::clamp(tokens / sequence, 1.0, most)); };
        if (d.batch_tokens > 0) plan.recipe.global_batch_sequences = sequences(d.batch_tokens);
        if (d.micro_tokens > 0) plan.layout.micro_batch = sequences(d.micro_tokens);
        if (d.batch_of_device <= 0) return;
        const Layout& l = plan.layout;
        const double ranks = std::max(1, l.data_parallel), of_rank = d.batch_of_device * l.devices / ranks;
        plan.layout.micro_batch = int(std::clamp(of_rank, 1.0, most));
        plan.recipe.global_batch_sequences =
            int(std::clamp(of_rank * ranks * std::max(1, d.accumulated), 1.0, most));
    }

    // What the framework itself takes off.
    void normalise(Layout& l) {
        if (!l.sequence_parallel || l.tensor_parallel > 1) return;
        l.sequence_parallel = false;
        remark(SettingFate::assumed, "sequence parallelism", {},
               phrase("with tensor parallel 1 the framework switches it off: so does the plan"));
    }

    // Copies that each share one set of weights, where the files state them.
    void share_within_copies(Scenario& plan, const PlanDraft& d) {
        Layout& l = plan.layout;
        if (l.zero_stage == 0) return;
        const int copy = d.shards_a_node                ? plan.machine.devices_per_node / l.tensor_parallel
                       : d.shards > 0 && d.replicas > 1 ? d.shards
                                                        : 0;
        if (l.shard_group == 0 && copy > 1 && copy < l.data_parallel) l.shard_group = copy;
    }

    // "uniform" recomputes every layer, in groups of so many.
    bool recomputes_all() const {
        for (const PlacedSetting& p : read_.settings)
            if ((leaf_of(p.name) == "recompute_method" || leaf_of(p.name) == "activations_checkpoint_method")
                && p.s.value == "uniform")
                return true;
        return false;
    }

    void choose_devices(Scenario& plan, const PlanDraft& d, long long shares) {
        Layout& l = plan.layout;
        constexpr long long most = 1 << 24;
        const JobShape& job = read_.job;   // the program's own words go before what starts it
        const int per_node = d.devices_per_node > 0     ? d.devices_per_node
                           : job.devices_per_node > 0 ? job.devices_per_node
                                                      : plan.machine.devices_per_node;
        const int nodes = d.nodes > 0 ? d.nodes : job.nodes;
        long long devices = devices_asked_;
        if (devices == 0) devices = d.devices;
        if (devices == 0 && d.nodes == 0 && d.devices_per_node == 0) devices = job.devices;
        if (devices == 0 && (nodes > 0 || d.devices_per_node > 0)) devices = 1LL * std::max(1, nodes) * per_node;
        if (devices == 0 && d.accumulated > 0 && l.micro_batch > 0 && plan.recipe.global_batch_sequences > 0)
            devices = plan.recipe.global_batch_sequences / (1LL * d.accumulated * l.micro_batch) * shares;
        if (devices == 0 && d.data_ranks > 0) devices = d.data_ranks * shares;
        if (devices == 0 && d.shards > 0) devices = 1LL * d.shards * d.replicas * shares;
        if (devices <= 0) {
            devices = (shares + per_node - 1) / per_node * per_node;
            const long long experts = 1LL * std::max(1, l.expert_parallel) * std::max(1, l.expert_tensor_parallel);
            while (devices < most && devices / shares * l.tensor_parallel * l.context_parallel % experts != 0)
                devices += per_node;
            remark(SettingFate::missing, "devices", {}, phrase("the fewest whole nodes that hold one copy: {1}",
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
        constexpr long long most = 1 << 24;
        if (d.local_batch > 0) batch = int(std::min(most, ranks * d.local_batch));
        else if (d.accumulated > 0) batch = int(std::min(most, ranks * d.accumulated * l.micro_batch));
        else {
            batch = int(std::min(most, ranks * l.micro_batch));
            remark(SettingFate::assumed, "global batch", {},
                   phrase("it is not stated: one micro-batch of each data rank, {1} sequences", batch));
        }
    }

    // FSDP2 on a mesh of copies and shards; tensor parallelism always splits the sequence too.
    void settle_titan(Scenario& plan, const PlanDraft& d) {
        Layout& l = plan.layout;
        l.sequence_parallel = l.tensor_parallel > 1;
        if (l.context_parallel > 1 && !d.said.contains("layout.context_mode"))
            l.context_mode = ContextMode::all_gather;
        const int copies = std::max(1, d.replicas),
                  shards = d.shards > 0 ? d.shards : std::max(1, l.data_parallel / copies);
        l.zero_stage = shards * l.context_parallel > 1 ? (d.reshards.value_or(l.pipeline_parallel == 1) ? 3 : 2) : 0;
        // A pipeline's stages keep what they gathered until the last micro-batch unless the file says otherwise.
        if (d.reshards == false && l.pipeline_parallel == 1 && l.zero_stage == 2) {
            l.zero_stage = 3;
            l.secondary_shard = 1;
        }
        l.shard_group = copies > 1 && l.zero_stage > 0 ? shards * l.context_parallel : 0;
        if (l.pipeline_parallel == 1 && d.local_batch > 0) l.micro_batch = d.local_batch;
        if (l.pipeline_parallel > 1 && d.micro_batches > 0) l.micro_batch = d.local_batch / d.micro_batches;
        if (l.pipeline_parallel > 1 && d.local_batch > 0) l.micro_batch = std::clamp(l.micro_batch, 1, d.local_batch);
    }

    // Which of our ways to share out the layers gives the ends as many.
    void choose_split(Scenario& plan, const PlanDraft& d) {
        if (!plan.layout.stages.empty() || (d.first_stage_layers <= 0 && d.last_stage_layers <= 0)) return;
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

    Reading& read_;
    int devices_asked_;
    bool titan_;   // in torchtitan's words
};

}  // namespace

void settle_layout(Scenario& plan, PlanDraft& d, Reading& read, int devices_asked, bool titan) {
    LayoutInTurn(read, devices_asked, titan).settle(plan, d);
}

}  // namespace plimsoll::files
