#include "core/answers/explain/codec_wording.h"

#include "core/answers/explain/wording.h"
#include "core/values/basics/names.h"

#include <cstdio>

namespace plimsoll {

namespace {

const char* subject(Traffic t) {
    switch (t) {
        case Traffic::gradients: return "Gradients";
        case Traffic::weights: return "Gathered weights";
        case Traffic::tensor: return "Activations between tensor ranks";
        case Traffic::pipeline: return "Activations between stages";
    }
    return "";
}

std::string short_number(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", v);
    return text;
}

std::string codec_name(const Codec& c) {
    std::string name(name_of(c.kind));
    if (c.kind == CodecKind::zfp) name.append(" at ").append(short_number(c.rate)).append(" bits a value");
    if (c.kind == CodecKind::top_k) name.append(" of ").append(short_number(100 * c.density)).append(" %");
    return name;
}

std::string risk(const Scenario& s, const CodecUse& u) {
    const std::string start = std::string(subject(u.traffic)).append(" through ").append(codec_name(u.codec));
    if (u.traffic == Traffic::gradients) return start + " without error feedback: what is not sent is lost, and the loss may suffer.";
    return start + " shrink " + short_number(u.ratio) + " times, more than the " + short_number(s.compression.safe_ratio)
         + " taken as safe: the loss may suffer.";
}

}  // namespace

std::string say(const CodecUse& u) {
    std::string text = std::string(subject(u.traffic)).append(" pass through ").append(codec_name(u.codec));
    text += ", " + short_number(u.ratio) + " times smaller; one transfer takes " + say(u.coded.time) + " against " + say(u.plain.time)
          + ", " + say(u.coded.codec) + " of it codec";
    if (u.encodings > 1 && lossy(u.codec.kind)) text += "; a value is encoded " + say_count(u.encodings) + " times";
    return text + ".";
}

std::vector<std::string> codec_warnings(const Scenario& s) {
    std::vector<std::string> warnings;
    for (const CodecUse& u : codec_uses(s)) {
        if (u.loss_risk) warnings.push_back(risk(s, u));
        if (!u.pays())
            warnings.push_back(std::string(subject(u.traffic)).append(": the codec costs more time than it saves, ")
                               + say(u.coded.time) + " a transfer against " + say(u.plain.time) + ".");
    }
    return warnings;
}

}  // namespace plimsoll
