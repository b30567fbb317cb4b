#include "core/papers/ornl_study.h"

#include "core/answers/campaign/headline.h"
#include "core/costs/kernels/tensor.h"

#include <cmath>

namespace plimsoll {

namespace {

paper::Plan plan_of(const Scenario& s) {
    const StateBytes b = state_bytes(s.recipe);
    const Layout& l = s.layout;
    return {parameters(s.model), l.devices, l.tensor_parallel, l.pipeline_parallel, l.data_parallel,
            b.weights, b.gradients, b.optimizer[ParameterGroup::matrices]};
}

double gigabytes(Bytes b) { return b / gigabyte; }

// Tensor-parallel traffic of one device and step: 8 (t-1)/t b s h elements per layer and micro-batch.
Bytes tensor_volume(const Scenario& s) {
    const double t = s.layout.tensor_parallel;
    const double layers = double(s.model.layers) / s.layout.pipeline_parallel;
    return 8 * (t - 1) / t * tensor_payload(s) * layers * micro_batches(s);
}

PaperRow bandwidth_row(const char* id, const char* label, const paper::Plan& plan, FlopRate rate, double tokens,
                       int devices, const char* formula) {
    const double need = devices * paper::required_bandwidth(plan.weight_bytes, rate, tokens) / (gigabyte / second);
    return {id, label, need, need, "GB/s", formula};
}

// The narrowest level the data-parallel ranks span, as bought and as it is reached.
PaperRow available_row(const Scenario& s) {
    const Level& outer = s.machine.levels.back();
    return {"bandwidth_available",
            "Bandwidth a device has across the machine",
            outer.bandwidth / (gigabyte / second),
            outer.bandwidth * outer.efficiency / (gigabyte / second),
            "GB/s",
            "share of one device when all send; × achieved fraction"};
}

constexpr double usual_share = 0.4;  // of the peak, where somebody guesses without a model

}  // namespace

std::vector<PaperRow> paper_study(const Scenario& s) {
    const Outcome outcome = estimate(s);
    if (!outcome) return {};
    const Headline h = headline(s, *outcome);
    const paper::Plan plan = plan_of(s);
    const Flop work = paper::training_flop(plan.parameters, tokens_read(s.recipe));
    const Flop model_work = outcome->model_flop * h.steps;
    const FlopRate peak = s.machine.device.peak(matrix_format(s.recipe));
    const FlopRate nominal = work / h.run / double(plan.devices);  // 6PD per second and device
    const double tokens_per_device = double(s.recipe.global_batch_sequences) * s.recipe.sequence_length / plan.devices;
    const double per_watt = nominal / h.device_power * (joule / flop);

    return {
        {"flop", "Training FLOP", work / flop, model_work / flop, "FLOP",
         "6 P D; full model: attention and head counted"},
        {"flop_chinchilla", "FLOP at D = 20 P", paper::chinchilla_flop(plan.parameters) / flop,
         paper::chinchilla_flop(plan.parameters) / flop, "FLOP", "120 P²"},
        {"ideal_days", "Days at peak, perfect scaling", paper::training_time(work, peak * plan.devices) / day,
         h.run / day, "days", "6 P D / (N R_peak); full model: predicted time"},
        {"device_hours", "Device-hours at 40 % of peak", work / (usual_share * peak) / hour,
         plan.devices * (h.run / hour), "device-hours",
         "6 P D / (0.4 R_peak), a usual guess; full model: predicted time"},
        {"node_hours", "Node-hours at the predicted rate", paper::node_hours(work, nominal, s.machine.devices_per_node),
         outcome->nodes * (h.run / hour), "node-hours", "6 P D / (R_device × devices per node × 3600)"},
        {"energy", "Device energy", paper::training_energy(work, per_watt * 1.0) / megawatt_hour,
         h.steps * outcome->energy.devices / megawatt_hour, "MWh",
         "6 P D / (FLOP/s per watt); full model: power by activity"},
        {"efficiency", "Energy efficiency", per_watt / 1e12, h.per_device / h.device_power * (joule / flop) / 1e12,
         "TFLOP/s per W", "rate / device power"},
        {"fsdp_memory", "FSDP memory per device", gigabytes(paper::fsdp_memory_printed(plan)),
         gigabytes(paper::fsdp_memory(plan)), "GB", "6 Mp / N; all model states / N"},
        {"fsdp_volume", "FSDP traffic per device and step", gigabytes(paper::fsdp_volume_printed(plan)),
         gigabytes(paper::fsdp_volume(plan)), "GB", "3 Mp; 3 (N−1)/N Mp"},
        {"megatron_memory", "DeepSpeed-Megatron memory per device", gigabytes(paper::megatron_memory_printed(plan)),
         gigabytes(paper::megatron_memory(plan)), "GB", "2 (DP + PP·TP + 1)/N Mp; P [(b_p + b_g)/(TP·PP) + b_o/N]"},
        {"megatron_volume", "DeepSpeed-Megatron traffic per device and step",
         gigabytes(paper::megatron_volume_printed(plan)),
         gigabytes(paper::megatron_data_volume(plan) + tensor_volume(s)), "GB",
         "(TP/N + 1) 2 Mp; 2 (d−1)/d b_g P/(t p) + 8 (t−1)/t b s h per layer"},
        bandwidth_row("bandwidth_peak", "Bandwidth that hides FSDP at peak", plan, peak, tokens_per_device, 1,
                      "b_w R / (2 τ), R = peak of one device, τ tokens per device and step; the study's 94 GB/s, there "
                      "named achievable"),
        bandwidth_row("bandwidth_achieved", "Bandwidth that hides FSDP at the predicted rate", plan, h.per_device,
                      tokens_per_device, 1,
                      "b_w R / (2 τ), R as predicted; the study's 37 GB/s, there named theoretical"),
        bandwidth_row("bandwidth_package", "The same of one package, which shares its network links", plan,
                      h.per_device, tokens_per_device, s.machine.device.per_package,
                      "devices per package × b_w R / (2 τ)"),
        available_row(s),
    };
}

}  // namespace plimsoll

namespace plimsoll::paper {

Flop training_flop(double parameters, double tokens) { return 6 * parameters * tokens * flop; }
Flop chinchilla_flop(double parameters) { return training_flop(parameters, 20 * parameters); }
Seconds training_time(Flop work, FlopRate system) { return work / system; }
Joules training_energy(Flop work, double flop_per_joule) { return work / flop / flop_per_joule * joule; }
double node_hours(Flop work, FlopRate per_device, int devices_per_node) {
    return work / (per_device * devices_per_node) / hour;
}

Bytes fsdp_memory_printed(const Plan& p) { return 6 * p.weights() / p.devices; }
Bytes fsdp_memory(const Plan& p) {
    return (p.weight_bytes + p.gradient_bytes + p.optimizer_bytes) * p.parameters / p.devices * byte;
}
Bytes fsdp_volume_printed(const Plan& p) { return 3 * p.weights(); }
Bytes fsdp_volume(const Plan& p) { return 3 * (p.devices - 1.0) / p.devices * p.weights(); }
Bytes ddp_volume(const Plan& p) { return 2 * p.weights(); }

Bytes megatron_memory_printed(const Plan& p) {
    return 2 * (p.data + double(p.pipeline) * p.tensor + 1) / p.devices * p.weights();
}
Bytes megatron_memory(const Plan& p) {
    const double shard = double(p.tensor) * p.pipeline;
    return p.parameters * ((p.weight_bytes + p.gradient_bytes) / shard + p.optimizer_bytes / (shard * p.data)) * byte;
}
Bytes megatron_volume_printed(const Plan& p) { return (double(p.tensor) / p.devices + 1) * 2 * p.weights(); }
Bytes megatron_data_volume(const Plan& p) {
    const double d = p.data;
    return 2 * (d - 1) / d * p.gradient_bytes * p.parameters / (double(p.tensor) * p.pipeline) * byte;
}

ByteRate required_bandwidth(double weight_bytes, FlopRate per_device, double tokens_per_device) {
    // 3 b_w P bytes in the time of 6 P tau FLOP: P cancels.
    return 3 * weight_bytes * byte / (6 * tokens_per_device * flop / per_device);
}

double cannon_transfers(double p) { return 2 * std::pow(p, 1.5) - 2 * std::sqrt(p); }
double cube_transfers(double p) { return 2 * p - 2 * std::cbrt(p); }
double tesseract_transfers(double p) { return 2 * std::cbrt(p) * std::cbrt(p); }

}  // namespace plimsoll::paper
