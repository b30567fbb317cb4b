#pragma once
// The settings that a program prints before it trains: Megatron's and DeepSpeed's lists with dots, MaxText's lines, and
// blocks of YAML, of JSON and of Python's Config(...). Internal to core/files/measured.

#include "core/files/measured/log_lines.h"
#include "core/files/settings/settings.h"

#include <set>

namespace plimsoll::files {

class SettingsOfLog {
public:
    void take(const BareLine&, int line);
    void add(std::string key, std::string value, int line);   // said in a sentence
    void end();                                               // of the text; a block that is open ends here

    std::vector<Setting> all;
    std::string model_config;                                 // of the first block with a model_type
    bool dotted = false, configured = false, config_params = false;

private:
    enum class Block { none, yaml, json, calls };
    bool take_dotted(std::string_view, int line);
    bool take_param(std::string_view, int line);
    void take_titan(std::string_view, int line);
    void begin_block(std::string_view, int line);
    void go_on(std::string_view);
    void end_block();
    void keep_block(std::vector<Setting>);

    Block block_ = Block::none;
    std::string text_;
    std::uint64_t who_ = 0;
    int first_line_ = 0, depth_ = 0;
    bool in_string_ = false, escaped_ = false, in_list_ = false;
    std::set<std::string, std::less<>> known_;                // keys that are there
};

// Whether a value may be kept: not a path, an address, a host or somebody's name.
bool may_be_kept(const Setting&);

// "Config(parallelism=ParallelismArgs(dp=2, tp=8), ...)": keys by their path, without the outermost name.
std::vector<Setting> read_calls(std::string_view text);

}  // namespace plimsoll::files
