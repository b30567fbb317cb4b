#pragma once
// What the name of a training framework says about a published run: the stack
// preset that prices it and the defaults of its releases. Rules look at words
// of the name and at the device, never at a source or a row.

#include "core/evidence/published/published_row.h"

#include <string>

namespace plimsoll {

struct FrameworkRule {
    const char* words;       // all must occur in the name, separated by '+', lower case
    const char* device;      // must occur in the device's name, lower case; "" any
    const char* stack;       // id of the stack preset
    bool dropout;            // GPT models train with dropout
    bool pads_vocabulary;    // to a multiple of 128 x tensor parallel
    bool fp32_gradients;     // bf16 recipes add gradients up in fp32
    bool distributed;        // optimizer sharded and sequence parallel unless stated otherwise
    FlopRule flop;           // what its TFLOP/s count when the source does not say
    bool whole_batch = false; // no gradient accumulation: a replica takes its batch at once
};

// The first rule that matches; null when no stack preset stands for the framework.
const FrameworkRule* framework_rule(const std::string& framework, const std::string& device);
// The defaults where a row names its stack preset and nobody knows the framework.
const FrameworkRule& any_framework();

// DeepSpeed prints the memory of rank 0, which is on the first stage; others name the fullest stage.
bool reports_first_stage(const std::string& framework);

std::string lower_case(std::string);
bool contains(const std::string& lower_case_text, const char* words);

}  // namespace plimsoll
