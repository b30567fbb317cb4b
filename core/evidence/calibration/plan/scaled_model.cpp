#include "core/evidence/calibration/plan/scaled_model.h"

#include "core/answers/explain/wording.h"
#include "core/values/basics/names.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

// Tensor ranks of every layout of a plan share the heads evenly.
constexpr int heads_step = 2;

bool gated_kind(const Model& m) { return gated(m.activation); }

int head_width(const Model& m) {
    const int found = m.head_dim >= 32 && m.head_dim <= 256 && m.head_dim % 16 == 0 ? m.head_dim : 64;
    return found;
}

// Heads of `head_dim` whose total width is nearest to `width`, by ratio; a multiple of heads_step.
int heads_for(int width, int head_dim) {
    const int below = std::max(heads_step, width / head_dim / heads_step * heads_step), above = below + heads_step;
    const auto away = [&](int heads) { return std::abs(std::log(double(heads) * head_dim / width)); };
    return away(above) < away(below) ? above : below;
}

// As many query heads for each key-value head as the subject has, as far as both divide.
int kv_heads_for(int heads, const Model& subject) {
    const double share = double(subject.kv_heads) / std::max(1, subject.heads);
    int best = heads;
    for (int kv = heads_step; kv <= heads; kv += heads_step)
        if (heads % kv == 0 && std::abs(std::log(double(kv) / heads / share)) < std::abs(std::log(double(best) / heads / share))) best = kv;
    return best;
}

int ffn_for(int hidden, const Model& subject) {
    if (has_experts(subject) || subject.ffn < 1) return gated_kind(subject) ? (8 * hidden / 3 + 63) / 64 * 64 : 4 * hidden;
    const double ratio = std::clamp(double(subject.ffn) / subject.hidden, 1.0, 8.0);
    return std::max(64, int(std::lround(ratio * hidden / 64)) * 64);
}

Model shaped(const Model& subject, int layers, int width, int vocabulary, int sequence) {
    const bool llama = gated_kind(subject);
    const int dim = head_width(subject), heads = heads_for(width, dim);
    Model m = model_of({"", "", layers, heads * dim, heads, vocabulary, sequence, llama});
    m.kv_heads = llama ? kv_heads_for(heads, subject) : heads;
    m.ffn = ffn_for(m.hidden, subject);
    m.id = "trial";
    m.name = std::string("Trial: ").append(std::to_string(layers)).append(" layers of ").append(std::to_string(m.hidden));
    return m;
}

// What the engine has instead, for the note.
std::vector<std::string> replaced(const Scenario& s, Precision precision) {
    const Model& m = s.model;
    std::vector<std::string> all;
    if (has_experts(m)) all.push_back("dense feed-forward blocks for its experts");
    if (has_latent_attention(m)) all.push_back("plain attention for its latent one");
    if (score_density(m) != 1) all.push_back("dense attention for its sparse one");
    if (m.activation != Activation::gelu && m.activation != Activation::swiglu)
        all.push_back(std::string(gated_kind(m) ? "swiglu" : "gelu").append(" for ").append(name_of(m.activation)));
    if (head_width(m) != m.head_dim) all.push_back("heads of 64 for heads of " + std::to_string(m.head_dim));
    if (precision != s.recipe.precision) all.push_back(std::string(name_of(precision)).append(" for ").append(name_of(s.recipe.precision)));
    if (s.recipe.optimizer != Optimizer::adam && s.recipe.optimizer != Optimizer::sgd)
        all.push_back(std::string("adam for ").append(name_of(s.recipe.optimizer)));
    return all;
}

std::string note_of(const Scenario& subject, const ScaledModel& small) {
    const Model& m = small.model;
    std::string text = subject.model.name.empty() ? "The model" : subject.model.name;
    text.append(" is scaled to ").append(std::to_string(m.layers)).append(" layers of ").append(std::to_string(m.hidden)).append(" (")
        .append(std::to_string(m.heads)).append(" heads of ").append(std::to_string(m.head_dim)).append("), a vocabulary of ")
        .append(say_count(m.vocabulary)).append(" and sequences of ").append(say_count(small.sequence_length)).append(": ")
        .append(say_count(parameters(m))).append(" parameters.");
    const auto instead = replaced(subject, small.precision);
    for (std::size_t i = 0; i < instead.size(); ++i) text.append(i ? ", " : " The engine takes ").append(instead[i]);
    return instead.empty() ? text : text.append(".");
}

Precision precision_for(const Scenario& s, const CalibrationPlace& place) {
    const bool wide = s.recipe.precision == Precision::fp32;
    return place.accelerator && !wide && place.machine.device.bf16 > FlopRate{} ? Precision::bf16 : Precision::fp32;
}

// The widest model whose states (weight, gradient, master weight, two moments: 18 B) leave room for a deeper and a wider
// one, four fifths more, and for activations.
int accelerator_width(Bytes memory) {
    constexpr int widths[] = {2048, 1536, 1024, 768, 512};
    for (const int width : widths)
        if (12.0 * width * width * 12 * 18 * byte < 0.12 * memory) return width;
    return 384;
}

}  // namespace

ScaledModel scaled_model(const Scenario& subject, const CalibrationPlace& place) {
    ScaledModel small;
    small.precision = precision_for(subject, place);
    if (place.accelerator) {
        small.sequence_length = std::clamp(subject.recipe.sequence_length, 256, 1024);
        small.model = shaped(subject.model, 12, accelerator_width(place.machine.device.memory), 32768, small.sequence_length);
    } else {
        small.model = shaped(subject.model, 6, 384, 8192, small.sequence_length);
    }
    small.note = note_of(subject, small);
    return small;
}

Model deeper(Model m) {
    m.layers = m.layers * 5 / 3;
    m.name = std::string("Trial: ").append(std::to_string(m.layers)).append(" layers of ").append(std::to_string(m.hidden));
    return m;
}

Model wider(Model m) {
    const double before = m.hidden;
    const int group = m.heads / m.kv_heads;
    m.heads += std::max(heads_step, m.heads / 3 / heads_step * heads_step);
    m.heads = (m.heads + group * heads_step - 1) / (group * heads_step) * (group * heads_step);
    m.kv_heads = m.heads / group;
    m.hidden = m.heads * m.head_dim;
    m.ffn = std::max(64, int(std::lround(m.ffn * m.hidden / before / 64)) * 64);
    m.name = std::string("Trial: ").append(std::to_string(m.layers)).append(" layers of ").append(std::to_string(m.hidden));
    return m;
}

}  // namespace plimsoll
