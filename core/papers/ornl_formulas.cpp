#include "core/papers/ornl_formulas.h"

#include <cmath>

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
