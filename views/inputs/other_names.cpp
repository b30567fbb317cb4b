#include "views/inputs/other_names.h"

#include <QHash>

namespace plimsoll {

namespace {

struct OtherNames {
    const char* id;
    const char* names;  // with semicolons between them
};

constexpr OtherNames table[] = {
    // ---- Nodes, layout
    {"nodes", "node count; hosts; servers; machines; nnodes; scale"},
    {"layout.devices", "GPUs; GPU; GCDs; GCD; TPU; chips; accelerators; world size; ranks; number of GPUs; cards"},
    {"layout.tensor_parallel", "TP; tensor model parallel; tensor slicing; intra-layer parallelism; MP"},
    {"layout.tensor_mode", "2D tensor parallel; 2.5D; SUMMA; Tesseract; Colossal-AI"},
    {"layout.pipeline_parallel", "PP; pipeline model parallel; stages; inter-layer parallelism"},
    {"layout.data_parallel", "DP; DDP; replicas; data parallel size; FSDP"},
    {"layout.context_parallel", "CP; ring attention; Ulysses; sequence sharding; long context"},
    {"layout.context_mode", "ring attention; Ulysses"},
    {"layout.expert_parallel", "EP; expert model parallel; MoE parallel"},
    {"layout.expert_tensor_parallel", "ETP"},
    {"layout.micro_batch", "MBS; micro batch size; batch per GPU; batch per device; local batch"},
    {"layout.virtual_stages", "VP; VPP; interleaving; model chunks; virtual pipeline"},
    {"layout.schedule", "1F1B; GPipe; zero bubble; interleaved; pipeline schedule; bubble"},
    {"layout.recompute", "checkpointing; activation checkpointing; gradient checkpointing; recomputation; remat; "
                         "rematerialisation"},
    {"layout.recompute_layers", "checkpointed layers; recompute num layers"},
    {"layout.sequence_parallel", "SP; sequence parallelism"},
    {"layout.zero_stage", "ZeRO; FSDP; sharding; distributed optimizer; sharded optimizer; ZeRO-1; ZeRO-2; ZeRO-3; "
                          "DeepSpeed stage"},
    {"layout.shard_group", "hybrid sharding; HSDP; MiCS"},
    {"layout.secondary_shard", "hpZ; ZeRO++; hierarchical partitioning; reshard after forward"},
    {"machine.accounting.by_device", "shared node; part of a node; single GPU; exclusive"},
    {"layout.offload.optimizer_state", "CPU offload; ZeRO-Offload; ZeRO-Infinity; offloading; NVMe offload"},
    {"layout.offload.weights", "parameter offload; CPU offload; ZeRO-Infinity"},
    {"layout.offload.activations", "activation offload; swapping; CPU offload"},
    // ---- Recipe
    {"recipe.global_batch_sequences", "GBS; batch size; batch; global batch size; batch in tokens; token; "
                                      "tokens per batch; gradient accumulation"},
    {"recipe.sequence_length", "context length; sequence; seq len; context window; context"},
    {"recipe.tokens", "token; tokens; dataset size; data set; training data; corpus; token budget; run length; epochs; "
                      "continued pre-training; continual pre-training; CPT"},
    {"recipe.rows", "packing; sample packing; sequence packing; padding-free; padding; padded"},
    {"recipe.examples", "samples; data set; dataset size; number of examples"},
    {"recipe.epochs", "num_train_epochs; epoch"},
    {"recipe.document_length", "example length; sample length"},
    {"method.purpose", "fine-tune; finetuning; fine-tuning; SFT; instruction tuning; pre-training; "
                       "DPO; preferences; preference training; ORPO; KTO; SimPO"},
    {"method.trained", "LoRA; QLoRA; adapters; PEFT; full fine-tuning"},
    {"method.rank", "LoRA rank; lora_r; lora_rank"},
    {"method.frozen", "QLoRA; NF4; bitsandbytes; 4-bit; load in 4 bit; quantised base"},
    {"method.magnitudes", "DoRA; use_dora; weight-decomposed adapters"},
    {"method.adapter_dropout", "lora_dropout; LoRA dropout"},
    {"recipe.precision", "number format; dtype; mixed precision; fp8; fp16; bf16; half precision"},
    {"recipe.bytes_per_parameter", "optimizer state; bytes per parameter; fp32 gradients; master weights; pure bf16; "
     "precision-aware optimizer"},
    {"recipe.optimizer", "Adam; AdamW; SGD; Adafactor; Shampoo; K-FAC; 8-bit Adam; Muon; SOAP"},
    {"recipe.checkpoint_interval_s", "checkpoint; checkpoint frequency; save interval; checkpointing"},
    {"recipe.checkpoint_s", "checkpoint cost; save time"},
    // ---- Model
    {"model.layers", "depth; transformer blocks; num layers"},
    {"model.hidden", "width; d_model; embedding dimension; hidden dimension; model size"},
    {"model.heads", "query heads; attention heads; n_head"},
    {"model.kv_heads", "GQA; MQA; grouped-query attention; key value heads"},
    {"model.ffn", "MLP; intermediate size; feed-forward; d_ff"},
    {"model.vocabulary", "vocab size; tokenizer; token types"},
    {"model.sequence_length", "max position embeddings; context length"},
    {"model.window.tokens", "sliding window; local attention; SWA"},
    {"model.experts.count", "MoE; mixture of experts; number of experts"},
    {"model.experts.top_k", "MoE; router; active experts; topk"},
    {"model.latent.kv_rank", "MLA; latent attention; kv lora rank"},
    // ---- Machine
    {"machine.nodes", "size of the machine; cluster size"},
    {"machine.devices_per_node", "GPUs per node; GPU per node; accelerators per node; GCDs per node"},
    {"machine.device.memory_GiB", "HBM; VRAM; GPU memory; HBM capacity"},
    {"machine.device.bandwidth_GBps", "HBM bandwidth; memory bandwidth; GPU memory bandwidth"},
    {"machine.device.peak_TFLOPS.bf16", "TFLOPS; peak FLOPS; peak performance; tensor cores; Rpeak"},
    {"machine.device.peak_TFLOPS.fp8", "TFLOPS; peak FLOPS"},
    {"machine.device.efficiency.gemm_ceiling", "matmul efficiency; GEMM efficiency; kernel efficiency"},
    {"machine.network.node_GBps",
     "NVLink; NVSwitch; xGMI; Infinity Fabric; intra-node bandwidth; bandwidth inside a node; bandwidth in a node; "
     "network inside a node; interconnect; scale-up"},
    {"machine.network.node_latency_us", "latency inside a node; NVLink latency"},
    {"machine.network.system_GBps",
     "network bandwidth; InfiniBand; Slingshot; Tofu; RoCE; Ethernet; bandwidth between nodes; network between nodes; "
     "injection bandwidth; inter-node bandwidth; interconnect; fabric; NIC; scale-out"},
    {"machine.network.system_latency_us", "ping; network latency; alpha; latency between nodes"},
    {"machine.host.link_GBps", "PCIe; NVLink-C2C; host to device bandwidth"},
    {"machine.host.memory_GiB", "RAM; DRAM; CPU memory"},
    {"machine.power.device_max_W", "TDP; power cap; power limit; watts"},
    {"machine.power.pue", "cooling; power usage effectiveness"},
    {"machine.reliability.failures_per_1000_node_days", "failures; node failures; MTBF of a node; reliability"},
    {"machine.reliability.job_mtbf_h", "MTBF; mean time between failures; MTTI"},
    {"machine.reliability.restart_s", "recovery time; restart time; downtime"},
    {"machine.storage.write_GBps", "Lustre; file system; storage bandwidth; checkpoint bandwidth; I/O; disk"},
    // ---- Software
    {"stack.attention", "FlashAttention; flash; fused attention"},
    {"stack.attention_kernel", "FlashAttention-2; FlashAttention-3; cuDNN; Triton"},
    {"stack.gradient_overlap", "overlap; communication overlap; overlap grad reduce"},
    {"stack.fragmentation", "caching allocator; reserved memory"},
    {"compression.scheme", "gradient compression; zfp; quantised communication"},
    // ---- Pages
    {"page.overview", "summary; dashboard"},
    {"page.time", "strong scaling; scaling curve; scalability; speedup; efficiency; sweep; sweep over nodes"},
    {"page.step", "breakdown; profile; bubble; exposed communication"},
    {"page.memory", "out of memory; OOM; HBM; VRAM"},
    {"page.layouts", "search; best layout; auto configurator; Pareto; parallelism"},
    {"page.energy", "power; carbon; CO2; electricity; MWh; cost; money; price"},
    {"page.resilience", "failures; checkpoints; MTBF; goodput; queue; job chain; walltime; how often to checkpoint; "
                        "how many jobs"},
    {"page.paper", "rule of thumb; 6ND; back of the envelope; FLOP; Ethernet suffices; bandwidth needed; "
                   "GPU-hours at 40 %"},
    {"page.timeline", "Gantt; pipeline schedule; bubble; trace"},
    {"page.validation", "accuracy; published runs; error; trust; how accurate; GLM-130B; compare with papers"},
    {"page.probes", "probe; probes; short runs; two depths; write a job; read logs back; ten-minute job; my cluster"},
    {"page.calibrate", "benchmark; measure; this computer; running job; drift; trial run"},
    {"page.questions", "what if; ask; asked and answered"},
    {"page.goal", "goal seek; backwards; within a budget; power limit"},
    {"page.proposal", "burn-down; lose hours; unused hours; pull-back; INCITE; ALCC; HPCI; EuroHPC; ACCESS; "
                      "application"},
    {"page.tornado", "sensitivity; uncertainty; error bars; likely range; what the answer hinges on"},
    // ---- Questions
    {"question.batch", "critical batch size; batch too large; gradient noise scale; what does the batch cost; "
                       "large batch training"},
    {"question.sweep", "larger batch; bigger batch; sweep of the batch; batch against MFU"},
    {"question.machines", "40 or 80 GB; A100 or H100; which machine; which GPU; Frontier, Aurora or Fugaku; compare "
                          "machines; other cards; other hardware"},
    {"question.zero", "ZeRO-3 needs more memory than ZeRO-2; why more memory; FSDP memory; sharding stages"},
    {"question.nodes", "search over nodes; fewest nodes; minimum GPUs; scaling of the best layout; envelope; "
                       "over-nodes"},
    {"question.split", "rule of thumb; heuristic; fit first; Megatron takeaway"},
    {"question.largest", "largest model; biggest model; how big a model; host memory; ZeRO-Infinity"},
    {"question.layers", "strategies; Galvatron; per-layer; layer by layer; mixed strategies"},
    {"question.robust", "search sensitivity; robust layout; would another layout win"},
    {"question.launch", "launch; sbatch; Slurm; Megatron arguments; DeepSpeed configuration; FSDP; torchrun; command "
                        "line of the framework"},
    {"question.fit", "fit constants; calibrate from runs; my own measurements; fitting"},
    // ---- Numbers
    {"number.run.seconds", "days; wall time; duration; how long"},
    {"number.run.node_hours", "node-h; allocation; budget; GPU-hours; GPU hours; core hours"},
    {"number.mfu", "utilisation; utilization; efficiency; percent of peak"},
    {"number.tokens_per_second", "throughput; speed; tokens/s; token rate"},
    {"number.run.facility_energy_MWh", "electricity; kWh; MWh; power; carbon"},
    {"number.memory.worst_stage_bytes", "peak memory; HBM; VRAM; OOM"},
    {"number.step_seconds", "iteration time; step time; seconds per iteration"},
    // ---- Help
    {"help.model", "formula; formulas; equations; cost model; assumptions"},
    // ---- Commands
    {"command.export.or.print.figures", "PDF; SVG; PNG; CSV; save pictures; print; report"},
    {"command.import.model", "Hugging Face; config.json; load model"},
    {"command.import.framework.configuration", "Megatron; NeMo; torchtitan; DeepSpeed; Primus; YAML; TOML; script"},
    {"command.pin.as.baseline", "compare; snapshot; reference"},
    {"command.search.layouts", "optimise; optimize; best layout; auto tune"},
    {"command.find.an.input", "filter; search field"},
    {"command.charts.only", "full screen; presentation; focus mode"},
    {"command.undo", "revert; back"},
    {"page.compare", "side by side; difference; which is better; diff; A or B; versus"},
    {"plan.duplicate", "copy; new tab; keep beside; what if; clone"},
    {"plan.reopen", "undo close; closed tab; get back"},
    {"plan.next", "switch tab; other plan"},
    {"plan.close", "close tab"},
    {"plan.rename", "title; name of the plan"},
    {"plan.open_workspace", "project; session; several plans; open all"},
    {"plan.save_workspace", "project; session; several plans; save all"},
    {"plan.save_workspace_as", "project; session; several plans; save all; bundle"},
    {"plan.fewest_nodes", "minimum GPUs; minimum nodes; how many GPUs; how many nodes; fewest devices; least nodes"},
    {"plan.hours", "converter; convert hours; units of hours; SU; GCD or module"},
    {"plan.budget", "largest model; goal seek; largest model in my budget; node-hours; Chinchilla; scaling law"},
    {"plan.measured", "diagnose; diagnose my run; too slow; misconfigured; measured tokens per second"},
    {"plan.fit_first", "heuristic; rule of thumb split"},
    {"command.preferences", "settings; options; threads; cores; headroom; units; GB or GiB; hours or days; power "
                            "limit; MW"},
    {"command.cancel.what.runs", "stop; abort; kill; running jobs"},
};

}  // namespace

QStringList other_names(const QString& id) {
    static const QHash<QString, QStringList> all = [] {
        QHash<QString, QStringList> by_id;
        for (const OtherNames& row : table)
            by_id.insert(QString::fromLatin1(row.id),
                         QString::fromLatin1(row.names).split(QStringLiteral("; "), Qt::SkipEmptyParts));
        return by_id;
    }();
    return all.value(id);
}

QStringList ids_with_other_names() {
    QStringList ids;
    for (const OtherNames& row : table) ids << QString::fromLatin1(row.id);
    return ids;
}

}  // namespace plimsoll
