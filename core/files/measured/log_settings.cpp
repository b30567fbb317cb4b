#include "core/files/measured/log_settings.h"

#include "core/values/basics/foreign_text.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <array>

namespace plimsoll::files {

namespace {

constexpr std::size_t most_block_bytes = 1 << 20, most_log_settings = 8000;

bool is_name_of_log(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A block counts as a configuration where it has two of these.
constexpr std::string_view telling_keys[] = {
    "base_emb_dim", "base_num_decoder_layers", "batch_size", "d_model", "global_batch_size",
    "global_train_batch_size", "gradient_accumulation_steps", "hidden_dim", "hidden_size", "intermediate_size",
    "local_batch_size", "max_seq_len", "max_seq_length", "max_steps", "micro_batch_size", "model_type", "n_heads",
    "n_layers", "num_attention_heads", "num_hidden_layers", "num_layers", "num_train_steps",
    "pipeline_model_parallel_size",
    "per_device_train_batch_size", "pp", "seq_len", "seq_length", "sequence_len", "sequence_length", "steps",
    "tensor_model_parallel_size", "tensor_parallel_degree", "tp", "train_batch_size", "train_iters",
    "train_micro_batch_size_per_gpu", "train_steps", "zero_optimization",
};

std::string_view leaf_in_log(std::string_view key) {
    const auto dot = key.rfind('.');
    return dot == key.npos ? key : key.substr(dot + 1);
}

bool is_yaml_line(std::string_view line) {
    const std::size_t at = line.find_first_not_of(' ');
    if (at == line.npos) return false;
    if (line.substr(at).starts_with("- ")) return true;
    std::size_t end = at;
    while (end < line.size() && (is_name_of_log(line[end]) || line[end] == '.' || line[end] == '-' || line[end] == '/'))
        ++end;
    return end > at && end < line.size() && line[end] == ':' && (end + 1 == line.size() || line[end + 1] == ' ');
}

// Where a block of JSON begins: a brace with a quote or nothing behind it.
std::size_t json_begins(std::string_view line) {
    for (std::size_t at = line.find('{'); at != line.npos; at = line.find('{', at + 1)) {
        const std::size_t next = line.find_first_not_of(" \t", at + 1);
        if (next == line.npos || line[next] == '"') return at;
    }
    return line.npos;
}

bool holds(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view w) { return text.find(w) != text.npos; });
}

}  // namespace

bool may_be_kept(const Setting& s) {
    if (s.key.size() > 200 || s.value.size() > 2000 || !is_line(s.key) || !is_line(s.value)) return false;
    const std::string leaf = lower_case(std::string(leaf_in_log(s.key)));
    if (holds(leaf, {"host", "user", "email", "account", "entity", "addr", "token_file", "api_key", "project",
                     "run_id"}))
        return false;
    if (holds(s.value, {"@", "\\", "://", "~"})) return false;
    if (s.value.find('/') == s.value.npos) return true;
    // "meta-llama/Llama-3.1-8B" is the name of a model.
    const bool once = std::ranges::count(s.value, '/') == 1;
    return once && holds(leaf, {"model", "tokenizer"}) && s.value.front() != '/' && s.value.front() != '.'
        && !holds(s.value, {" ", ".json", ".yaml", ".py"});
}

void SettingsOfLog::add(std::string key, std::string value, int line) {
    if (all.size() >= most_log_settings) return;
    Setting s{std::move(key), std::move(value), line};
    if (!may_be_kept(s) || !known_.insert(s.key).second) return;   // every rank prints it
    all.push_back(std::move(s));
}

// "  num_layers ...................... 4", also behind a date and a place.
bool SettingsOfLog::take_dotted(std::string_view line, int number) {
    if (line.find("- arguments -") != line.npos) return in_list_ = true;
    if (line.find("- end of arguments -") != line.npos) return in_list_ = false, true;
    std::size_t dots = line.find(" ...");
    const bool listed = in_list_ || line.find("[config.py:") != line.npos;
    if (dots == line.npos && listed) dots = line.find(" .");   // a long name leaves room for few dots
    if (dots == line.npos) return false;
    std::size_t begin = dots;
    while (begin > 0 && is_name_of_log(line[begin - 1])) --begin;
    const std::size_t end = line.find_first_not_of('.', dots + 1);
    if (begin == dots || end == line.npos || line[end] != ' ') return false;
    if (begin > 0 && line[begin - 1] != ' ' && line[begin - 1] != ']') return false;
    std::string_view value = trimmed(line.substr(end));
    if (const auto more = value.find("...."); more != value.npos) value = value.substr(0, more);   // "....default"
    if (value != "{") add(std::string(line.substr(begin, dots - begin)), std::string(value), number);
    return dotted = true;
}

bool SettingsOfLog::take_param(std::string_view line, int number) {
    constexpr std::string_view sign = "Config param ";
    const std::size_t at = line.find(sign);
    if (at == line.npos) return false;
    const std::string_view rest = line.substr(at + sign.size());
    const std::size_t colon = rest.find(": ");
    if (colon == rest.npos) return true;
    add(std::string(rest.substr(0, colon)), std::string(trimmed(rest.substr(colon + 2))), number);
    return config_params = true;
}

// "Building 2-D device mesh with ['dp_shard', 'tp'], [2, 8]", "Building llama3 8B with ...".
void SettingsOfLog::take_titan(std::string_view line, int number) {
    const std::size_t at = line.find("Building ");
    if (at == line.npos) return;
    std::string_view rest = line.substr(at + 9);
    const std::size_t names = rest.find("-D device mesh with ['"), sizes = rest.find("], [");
    if (names == rest.npos || sizes == rest.npos) {
        const std::size_t name = rest.find(' '), flavor = name == rest.npos ? name : rest.find(' ', name + 1);
        if (flavor == rest.npos || !rest.substr(flavor).starts_with(" with ")) return;
        add("model.name", std::string(rest.substr(0, name)), number);
        return add("model.flavor", std::string(rest.substr(name + 1, flavor - name - 1)), number);
    }
    const auto words = split(rest.substr(names + 21, sizes - names - 21), ',');
    const std::size_t end = std::min(rest.find(']', sizes + 4), rest.size());
    const auto counts = split(rest.substr(sizes + 4, end - sizes - 4), ',');
    double devices = 1;
    for (std::size_t i = 0; i < std::min(words.size(), counts.size()); ++i) {
        const auto count = whole_of(counts[i]);
        if (!count || *count < 1 || *count > (1 << 24)) return;
        devices *= double(*count);
        for (const auto& [word, key] : {std::pair{"'dp_shard'", "data_parallel_shard_degree"},
                                        std::pair{"'dp_replicate'", "data_parallel_replicate_degree"},
                                        std::pair{"'tp'", "tensor_parallel_degree"},
                                        std::pair{"'pp'", "pipeline_parallel_degree"},
                                        std::pair{"'cp'", "context_parallel_degree"}})
            if (trimmed(words[i]) == word)
                add(std::string("parallelism.") + key, std::string(trimmed(counts[i])), number);
    }
    if (devices <= (1 << 24)) add("world_size", shortest(devices), number);
}

void SettingsOfLog::take(const BareLine& line, int number) {
    if (line.text.size() > most_block_bytes) return;
    if (block_ != Block::none) {
        if (line.launcher != who_) return;   // another rank's
        const bool prose = block_ == Block::json && text_ == "{\n" && !trimmed(line.text).starts_with('"');
        if (prose || line.text.find(" ......") != line.text.npos) block_ = Block::none;
    }
    if (block_ != Block::none) {
        const bool yaml_goes_on = block_ == Block::yaml && is_yaml_line(line.text);
        if (block_ != Block::yaml || yaml_goes_on) return go_on(line.text);
        end_block();
    }
    if (take_dotted(line.text, number) || take_param(line.text, number)) return;
    take_titan(line.text, number);
    who_ = line.launcher;
    begin_block(line.text, number);
}

void SettingsOfLog::begin_block(std::string_view line, int number) {
    text_.clear();
    depth_ = 0;
    in_string_ = escaped_ = false;
    first_line_ = number;
    if (const std::size_t calls = line.find("Config("); calls != line.npos) {
        block_ = Block::calls;
        return go_on(line.substr(calls));
    }
    if (const std::size_t json = json_begins(line); json != line.npos) {
        block_ = Block::json;
        return go_on(line.substr(json));
    }
    if (!is_yaml_line(line)) return;
    block_ = Block::yaml;
    go_on(line);
}

// Counts brackets; a block of them ends where the first is closed.
void SettingsOfLog::go_on(std::string_view line) {
    text_.append(line);
    text_ += '\n';
    if (text_.size() > most_block_bytes) {
        block_ = Block::none;
        return;
    }
    if (block_ == Block::yaml) return;
    const char open = block_ == Block::json ? '{' : '(', close = block_ == Block::json ? '}' : ')';
    const char quote = block_ == Block::json ? '"' : '\'';
    for (const char c : line) {
        if (escaped_) escaped_ = false;
        else if (in_string_ && c == '\\') escaped_ = true;
        else if (c == quote) in_string_ = !in_string_;
        else if (!in_string_ && c == open) ++depth_;
        else if (!in_string_ && c == close && --depth_ == 0) return end_block();
    }
    if (block_ == Block::calls) in_string_ = false;   // an apostrophe in prose
}

void SettingsOfLog::end_block() {
    const Block was = std::exchange(block_, Block::none);
    if (was == Block::calls) return keep_block(read_calls(text_));
    if (was == Block::json && model_config.empty() && text_.find("\"model_type\"") != text_.npos
        && text_.find("\"hidden_size\"") != text_.npos) {
        const std::size_t end = text_.rfind('}');
        model_config = text_.substr(0, end + 1);
        return;
    }
    if (was == Block::yaml && std::ranges::count(text_, '\n') < 2) return;
    const std::size_t end = was == Block::json ? text_.rfind('}') + 1 : text_.size();
    const std::string_view text = std::string_view(text_).substr(0, end);
    if (!is_text(text)) return;
    auto read = was == Block::json ? read_json_settings({}, text) : read_yaml({}, text);
    if (read) keep_block(std::move(read->all));
}

void SettingsOfLog::keep_block(std::vector<Setting> found) {
    const auto telling = [](const Setting& s) {
        return std::ranges::find(telling_keys, leaf_in_log(s.key)) != std::end(telling_keys)
            || s.key.starts_with("zero_optimization");
    };
    if (std::ranges::count_if(found, telling) < 2) return;
    configured = true;
    for (Setting& s : found) add(std::move(s.key), std::move(s.value), s.line > 0 ? first_line_ + s.line - 1 : 0);
}

void SettingsOfLog::end() {
    if (block_ == Block::yaml) end_block();
    block_ = Block::none;
}

namespace {

// The end of a value: a comma or a closing parenthesis that belongs to none of its own brackets.
std::size_t value_ends(std::string_view s, std::size_t at) {
    int depth = 0;
    char quote = '\0';
    for (; at < s.size(); ++at) {
        const char c = s[at];
        if (quote) {
            if (c == '\\') ++at;
            else if (c == quote) quote = '\0';
        } else if (c == '\'' || c == '"') quote = c;
        else if (c == '[' || c == '{' || c == '(' || c == '<') ++depth;
        else if ((c == ']' || c == '}' || c == '>') && depth > 0) --depth;
        else if (c == ')' && depth-- == 0) return at;
        else if (c == ',' && depth == 0) return at;
    }
    return s.size();
}

std::string unquoted(std::string_view word) {
    word = trimmed(word);
    const bool quoted =
        word.size() >= 2 && (word.front() == '\'' || word.front() == '"') && word.back() == word.front();
    return std::string(quoted ? word.substr(1, word.size() - 2) : word);
}

}  // namespace

std::vector<Setting> read_calls(std::string_view s) {
    std::vector<Setting> all;
    std::vector<std::size_t> lengths;   // of the path, before each call that is open
    std::string path;
    int line = 1;
    std::size_t at = std::min(s.find('('), s.size()), counted = 0;
    if (at < s.size()) ++at;
    while (at < s.size() && all.size() < most_log_settings) {
        at = s.find_first_not_of(" \t\n,", at);
        if (at == s.npos) break;
        if (s[at] == ')') {
            if (lengths.empty()) break;
            path.resize(lengths.back());
            lengths.pop_back();
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < s.size() && is_name_of_log(s[end])) ++end;
        if (end == at || end >= s.size() || s[end] != '=') {
            at = std::max(value_ends(s, at), at + 1);   // a value without a name
            continue;
        }
        for (; counted < at; ++counted) line += s[counted] == '\n';
        const std::string key(s.substr(at, end - at));
        at = end + 1;
        std::size_t name = at;
        while (name < s.size() && (is_name_of_log(s[name]) || s[name] == '.')) ++name;
        if (name > at && name < s.size() && s[name] == '(' && lengths.size() < std::size_t(deepest_settings)) {
            lengths.push_back(path.size());
            path += key + ".";
            at = name + 1;
            continue;
        }
        const std::size_t until = value_ends(s, at);
        all.push_back({path + key, unquoted(s.substr(at, until - at)), line});
        at = until;
    }
    return all;
}

}  // namespace plimsoll::files
