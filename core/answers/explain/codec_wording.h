#pragma once
// What there is to say about the codecs of a plan, in sentences.

#include "core/answers/plan/compression.h"

#include <string>
#include <vector>

namespace plimsoll {

// "Gradients pass through zfp: a quarter of the bytes, ..."
std::string say(const CodecUse&);
// Codecs that put the training loss at risk, and those that cost more time than they save.
std::vector<std::string> codec_warnings(const Scenario&);

}  // namespace plimsoll
