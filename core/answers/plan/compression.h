#pragma once
// What the codecs of a plan do, per kind of traffic: how far they shrink it,
// what encoding and decoding cost, whether that pays, and whether the loss of
// the training is at risk.
//
//   for (const CodecUse& use : codec_uses(scenario))
//       if (use.loss_risk) warn(say(use));

#include "core/costs/network/network.h"
#include "core/values/plan/scenario.h"

#include <string>
#include <vector>

namespace plimsoll {

struct CodecUse {
    Traffic traffic = Traffic::gradients;
    Codec codec;             // by the table or the scheme
    double ratio = 1;        // payload over message
    int ranks = 1;           // of one collective
    int encodings = 1;       // how often a value is encoded on its way, in a sum anew at every hop
    Transfer plain, coded;   // one collective without and with the codec
    bool loss_risk = false;  // see Compression::safe_ratio and error_feedback
    bool pays() const { return coded.time < plain.time; }
};

// Of a plan without obstacles; only traffic that this layout has and that a codec touches.
std::vector<CodecUse> codec_uses(const Scenario&);

// "Gradients pass through zfp: a quarter of the bytes, ..."
std::string say(const CodecUse&);
// Codecs that put the training loss at risk, and those that cost more time than they save.
std::vector<std::string> codec_warnings(const Scenario&);

}  // namespace plimsoll
