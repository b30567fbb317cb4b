#include "core/answers/explain/codec_wording.h"

#include "core/values/knobs/wording.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"


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

std::string codec_name(const Codec& c) {
    std::string name(name_of(c.kind));
    if (c.kind == CodecKind::zfp) name.append(" at ").append(significant(c.rate, 3)).append(" bits a value");
    if (c.kind == CodecKind::top_k) name.append(" of ").append(significant(100 * c.density, 3)).append(" %");
    return name;
}

std::string risk(const Scenario& s, const CodecUse& u) {
    const std::string start = std::string(subject(u.traffic)).append(" through ").append(codec_name(u.codec));
    if (u.traffic == Traffic::gradients) return start + " without error feedback: what is not sent is lost, and the loss may suffer.";
    return start + " shrink " + significant(u.ratio, 3) + " times, more than the " + significant(s.compression.safe_ratio, 3)
         + " taken as safe: the loss may suffer.";
}

}  // namespace

std::string say(const CodecUse& u) {
    std::string text = std::string(subject(u.traffic)).append(" pass through ").append(codec_name(u.codec));
    text += ", " + significant(u.ratio, 3) + " times smaller; one transfer takes " + say(u.coded.time) + " against " + say(u.plain.time)
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
