#pragma once
// Which lines tell something, framework by framework: tables of words and units. Internal to core/files/measured.
//
// A form is a line that holds `sign`, and `also` where there is one. Its fields are numbers behind a key. A form with a
// number and a time or a rate is a step; a framework that spreads a step over several lines has forms without a number,
// which belong to the latest number.

#include "core/files/measured/log_values.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::files {

enum class LogQuantity {
    number, milliseconds, seconds, steps_per_second, tokens_of_device, tokens_of_all, samples_of_all, total_rate, batch,
    tflops, allocated, reserved, device_memory, devices
};

struct LogField {
    std::string_view key;
    LogQuantity is;
    double unit = 1;         // of memory: bytes
    bool scaled = false;     // "1.02K"
};

struct LogForm {
    LogDialect dialect;
    bool certain;            // only this framework prints it: it decides over forms that several share
    std::string_view sign;   // at least seven characters
    std::string_view also;
    std::span<const LogField> fields;
};
std::span<const LogForm> log_forms();

// Something went on besides steps.
enum class LogEvent { evaluation, saving };
struct LogEventSign {
    LogEvent is;
    std::string_view sign;
};
std::span<const LogEventSign> log_event_signs();

// A setting in a sentence: "local batch size 8, global batch size 64".
struct LogPhrase {
    LogDialect dialect;
    std::string_view sign;   // of the line
    std::string_view key;    // before the number
    std::string_view setting;
};
std::span<const LogPhrase> log_phrases();

// The value that decides where a framework prints several, and what has to be said of it.
struct LogHabits {
    LogDialect dialect;
    std::vector<StepMeasure> prefers;
    std::string (*remark)() = nullptr;
};
const LogHabits& habits_of(LogDialect);

}  // namespace plimsoll::files
