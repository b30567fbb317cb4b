// YAML by libyaml, the library that PyYAML and so every framework here reads its files with. Only its events are used:
// what an alias repeats is counted as often as it stands, and nothing is made of a tag.
#include "core/files/settings/settings.h"

#include <yaml.h>
#include <map>
#include <memory>

namespace plimsoll::files {

namespace {

class YamlReader {
public:
    explicit YamlReader(std::string_view text) {
        yaml_parser_initialize(&parser_);
        yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    }
    ~YamlReader() {
        yaml_event_delete(&event_);
        yaml_parser_delete(&parser_);
    }
    YamlReader(const YamlReader&) = delete;
    YamlReader& operator=(const YamlReader&) = delete;

    // The first document; nothing with why() where it is none.
    std::optional<SettingTree> document() {
        if (!next() || !next()) return std::nullopt;  // the stream, the document
        if (event_.type == YAML_STREAM_END_EVENT) return SettingTree{.line = 1};
        if (!next()) return std::nullopt;
        return node(0);
    }
    // Whether there was something besides it.
    bool ends() { return next() && next() && event_.type == YAML_STREAM_END_EVENT; }
    const std::string& why() const { return why_; }

private:
    bool next() {
        yaml_event_delete(&event_);
        if (yaml_parser_parse(&parser_, &event_)) return true;
        why_ = "line " + std::to_string(parser_.problem_mark.line + 1) + ": "
             + (parser_.problem ? parser_.problem : "is not YAML");
        return false;
    }
    std::nullopt_t too_much() {
        why_ = too_much_in_it();
        return std::nullopt;
    }
    static std::string anchor_of(const yaml_char_t* name) {
        return name ? reinterpret_cast<const char*>(name) : std::string();
    }

    std::optional<SettingTree> node(int depth) {
        if (depth > deepest_settings || ++nodes_ > most_settings) return too_much();
        SettingTree made;
        made.line = int(event_.start_mark.line) + 1;
        std::string anchor;
        switch (event_.type) {
            case YAML_SCALAR_EVENT:
                anchor = anchor_of(event_.data.scalar.anchor);
                made.value.assign(reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length);
                if ((unfolded_ += made.value.size()) > most_unfolded_bytes) return too_much();
                break;
            case YAML_ALIAS_EVENT: {
                const auto found = anchored_.find(anchor_of(event_.data.alias.anchor));
                if (found == anchored_.end()) {
                    why_ = "line " + std::to_string(made.line) + ": an alias of what was not said before";
                    return std::nullopt;
                }
                nodes_ += found->second.nodes;
                unfolded_ += found->second.bytes;
                if (nodes_ > most_settings || unfolded_ > most_unfolded_bytes) return too_much();
                return found->second.tree;
            }
            case YAML_SEQUENCE_START_EVENT:
                anchor = anchor_of(event_.data.sequence_start.anchor);
                made.kind = SettingTree::Kind::list;
                break;
            case YAML_MAPPING_START_EVENT:
                anchor = anchor_of(event_.data.mapping_start.anchor);
                made.kind = SettingTree::Kind::map;
                break;
            default:
                return made;
        }
        const std::size_t nodes = nodes_, bytes = unfolded_ - made.value.size();
        if (made.kind != SettingTree::Kind::value && !members(made, depth)) return std::nullopt;
        if (anchor.empty()) return made;
        // What is kept for aliases is a copy, as each of them is.
        const Anchored kept{made, nodes_ - nodes + 1, unfolded_ - bytes};
        if ((unfolded_ += kept.bytes) > most_unfolded_bytes) return too_much();
        anchored_[anchor] = kept;
        return made;
    }

    bool members(SettingTree& made, int depth) {
        while (next()) {
            if (event_.type == YAML_SEQUENCE_END_EVENT || event_.type == YAML_MAPPING_END_EVENT) return true;
            std::string key;
            if (made.kind == SettingTree::Kind::map) {
                const auto name = node(depth + 1);
                if (!name || !next()) return false;
                key = name->kind == SettingTree::Kind::value ? name->value : "?";
            }
            auto value = node(depth + 1);
            if (!value) return false;
            if (key == "<<" && value->kind == SettingTree::Kind::map) merge(made, std::move(*value));
            else made.add(std::move(key), std::move(*value));
        }
        return false;
    }
    // What is said beside "<<" counts before what it brings.
    static void merge(SettingTree& into, SettingTree from) {
        from.members.insert(from.members.end(), std::make_move_iterator(into.members.begin()),
                            std::make_move_iterator(into.members.end()));
        into.members = std::move(from.members);
    }

    struct Anchored {
        SettingTree tree;
        std::size_t nodes, bytes;
    };
    yaml_parser_t parser_{};
    yaml_event_t event_{};
    std::size_t nodes_ = 0, unfolded_ = 0;
    std::map<std::string, Anchored> anchored_;
    std::string why_;
};

}  // namespace

Expected<Settings, Problems> read_yaml(const std::string& file, std::string_view text) {
    YamlReader reader(text);
    const auto refuse = [&](std::string why) {
        return Unexpected{Problems{{Severity::error, file, "", std::move(why)}}};
    };
    const auto tree = reader.document();
    if (!tree) return refuse(reader.why());
    if (tree->kind != SettingTree::Kind::map && !(tree->kind == SettingTree::Kind::value && tree->value.empty()))
        return refuse("expected keys and values, as in \"num_layers: 32\"");
    auto all = flattened(*tree);
    if (!all) return refuse(too_much_in_it());
    Settings s;
    if (!tree->value.empty() || !tree->members.empty()) s.all = std::move(*all);
    if (!reader.ends())
        s.remarks.push_back({Severity::warning, file, "", "only the first of several documents is read"});
    return s;
}

}  // namespace plimsoll::files
