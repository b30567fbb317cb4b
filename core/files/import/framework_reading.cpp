#include "core/files/import/framework_reading.h"

#include "core/files/import/model_import.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace plimsoll::files {

namespace {

// "modules.pre_trainer.overrides.train_iters" is Primus' way to say "train_iters".
void unwrap_primus(Reading& r, std::vector<Setting>& all) {
    const bool maxtext = std::ranges::any_of(all, [](const Setting& s) {
        return s.key.starts_with("modules.") && s.key.ends_with(".framework") && lower_case(s.value) == "maxtext";
    });
    for (Setting& s : all) {
        if (!s.key.starts_with("modules.")) continue;
        r.signs.claim(maxtext ? Dialect::maxtext : Dialect::primus);
        if (s.key.ends_with(".framework") && s.value == "torchtitan") r.signs.claim(Dialect::torchtitan);
        if (maxtext && s.key.ends_with(".pre_trainer.model")) s.key = "model_name";
        if (const auto at = s.key.find(".overrides."); at != s.key.npos) s.key = s.key.substr(at + 11);
    }
}

// "multiply:4,3072", as NeMo's launcher has it.
std::optional<std::string> worked_out(const std::string& inside, std::size_t colon) {
    const std::string how = inside.substr(0, colon), both = inside.substr(colon + 1);
    const auto comma = both.find(',');
    if (comma == both.npos || (how != "multiply" && how != "divide_floor" && how != "divide_ceil")) return std::nullopt;
    const auto a = whole_of(both.substr(0, comma)), b = whole_of(both.substr(comma + 1));
    if (!a || !b || *b <= 0 || std::abs(*a) > 1 << 30 || *b > 1 << 30) return std::nullopt;
    return std::to_string(how == "multiply" ? *a * *b : how == "divide_floor" ? *a / *b : (*a + *b - 1) / *b);
}

// What "${seq_length}", "${.hidden_size}" and "${NAME:otherwise}" stand for, as OmegaConf and Primus mean them.
std::optional<std::string> meant_by(std::string inside, const std::string& key,
                                    const std::map<std::string, std::string>& values) {
    if (const auto colon = inside.find(':'); colon != inside.npos) {
        if (auto sum = worked_out(inside, colon)) return sum;
        const bool variable = std::ranges::all_of(inside.substr(0, colon), [](unsigned char c) {
            return std::isupper(c) || std::isdigit(c) || c == '_';
        });
        return variable ? std::optional(inside.substr(colon + 1)) : std::nullopt;
    }
    if (inside.starts_with('.')) {
        const auto dot = key.rfind('.');
        inside = (dot == key.npos ? "" : key.substr(0, dot + 1)) + inside.substr(1);
    }
    const auto found = values.find(inside);
    return found != values.end() ? std::optional(found->second) : std::nullopt;
}

void resolve_references(std::vector<Setting>& all) {
    constexpr std::size_t longest = 4096;
    std::map<std::string, std::string> values;
    for (const Setting& s : all) values[s.key] = s.value;
    for (int pass = 0; pass < 4; ++pass)
        for (Setting& s : all) {
            if (s.value.size() > longest) continue;
            for (auto from = s.value.rfind("${"); from != s.value.npos;  // the innermost first
                 from = from > 0 ? s.value.rfind("${", from - 1) : s.value.npos) {
                const auto to = s.value.find('}', from);
                const auto meant = to == s.value.npos
                                     ? std::nullopt
                                     : meant_by(s.value.substr(from + 2, to - from - 2), s.key, values);
                if (!meant) continue;
                s.value.replace(from, to - from + 1, meant->substr(0, longest));
                break;
            }
        }
}

// Functions of a Python file that each set the degrees of a whole run are alternatives: the one that is asked for, else
// the first. Other functions and what stands outside of them hold for all.
void keep_one_recipe(Reading& r, std::vector<Setting>& all, const PlanImportOptions& o, const std::string& file) {
    std::vector<std::string> parts;
    for (const Setting& s : all)
        if (!s.part.empty() && s.key.ends_with(".tensor_model_parallel_size")
            && std::ranges::find(parts, s.part) == parts.end())
            parts.push_back(s.part);
    if (parts.size() < 2) return;
    const bool known = std::ranges::find(parts, o.recipe) != parts.end();
    const std::string chosen = known ? o.recipe : parts.front();
    if (!known)
        r.remarks.push_back({SettingFate::assumed, "def", chosen,
                             phrase("the file has {1} recipes; the first is taken", parts.size()), place_of(file, 0)});
    std::erase_if(
        all, [&](const Setting& s) { return s.part != chosen && std::ranges::find(parts, s.part) != parts.end(); });
}

// Whether a script of those given names it, as one that sources it does: it is read there.
bool is_read_by_a_script(const Reading& r, const NamedText& file) {
    const std::string name = place_of(file.file, 0);
    for (const NamedText& other : r.beside) {
        if (other.file == file.file || syntax_of(other.file, other.text) != Syntax::arguments) continue;
        const bool mutual = file.text.find(place_of(other.file, 0)) != std::string::npos && &other > &file;
        if (other.text.find(name) != std::string::npos && !mutual) return true;
    }
    return false;
}

void take_script(Reading& r, Settings& script, const std::string& file) {
    ScriptReading read = read_launches(script, file);
    script.all = std::move(read.settings);
    r.remarks.insert(r.remarks.end(), read.remarks.begin(), read.remarks.end());
    if (read.shape.devices > 0 || read.shape.nodes > 0) r.job = read.shape;
    for (const std::string& name : read.reads) {
        const std::string last = last_part_of(name);
        const bool given = std::ranges::any_of(r.beside, [&](const auto& f) { return last_part_of(f.file) == last; });
        if (!given && std::ranges::none_of(script.documents,
                                           [&](const auto& f) { return last_part_of(f.first) == last; })) {
            r.not_given.push_back(name);
            r.remarks.push_back({SettingFate::missing, last_part_of(name), {}, reads_it(name), place_of(file, 0)});
        }
    }
}

}  // namespace

Expected<bool, Problems> read_configuration(Reading& r, const NamedText& file, const PlanImportOptions& o, int depth) {
    if (file.log) return read_log(r, *file.log, file.file);
    const auto syntax = syntax_of(file.file, file.text);
    if (syntax == Syntax::json && file.text.find("\"model_type\"") != std::string::npos) {
        auto model = import_model(file.text, {file.file, {}, 0});
        if (!model) return Unexpected{std::move(model.error())};
        for (const Problem& p : model->remarks)
            r.remarks.push_back({SettingFate::assumed, p.pointer, {}, p.message, place_of(file.file, 0)});
        r.model = model->model;
        r.model_file = place_of(file.file, 0);
        return true;
    }
    if (syntax == Syntax::arguments && depth == 0 && is_read_by_a_script(r, file)) return true;
    FilesBeside beside;
    for (const NamedText& other : r.beside)
        if (other.file != file.file) beside.emplace_back(other.file, other.text);
    auto settings = read_settings(file.file, file.text, beside);
    if (!settings && depth == 0 && is_read_by_a_script(r, file)) {
        r.remarks.push_back({SettingFate::assumed, place_of(file.file, 0), {},
                             phrase("it cannot be read as it stands: only what the script makes of it is taken"), {}});
        return true;
    }
    if (!settings) return Unexpected{std::move(settings.error())};
    if (syntax == Syntax::arguments) take_script(r, *settings, file.file);
    if (const auto link = link_in(file.text); link && !r.link) r.link = link;
    for (const Problem& p : settings->remarks)
        r.remarks.push_back({SettingFate::assumed, p.pointer, {}, p.message, place_of(file.file, 0)});
    unwrap_primus(r, settings->all);
    resolve_references(settings->all);
    keep_one_recipe(r, settings->all, o, file.file);
    // Files that a script writes and hands to the program; one in Python is the program.
    for (const auto& [name, text] : settings->documents)
        if (const auto kind = syntax_of(name, text); 
            depth < 2 && kind && *kind != Syntax::arguments && *kind != Syntax::python) {
            const std::string shown =
                is_plain_name(name)
                    ? name
                    : "document" + name.substr(name.rfind('.') == name.npos ? name.size() : name.rfind('.'));
            if (auto read = read_configuration(r, {shown, text}, o, depth + 1); !read)
                r.remarks.push_back({SettingFate::missing, shown, {},
                                     phrase("the script writes this file, and it cannot be read: what it sets is not "
                                            "in the plan. State it, or give the file"),
                                     place_of(file.file, 0)});
        }
    r.python |= *syntax == Syntax::python;
    for (const std::string* text : {&file.file, &file.text})
        r.single_device |= text->find("single_device") != std::string::npos;
    if (*syntax == Syntax::python || *syntax == Syntax::arguments) r.signs.look_at_text(file.text);
    for (Setting& s : settings->all)
        if (r.settings.size() < 2 * most_settings) {
            std::string name = row_name(s.key);
            r.signs.look_at(s, name);
            r.settings.push_back({std::move(s), std::move(name), file.file});
        }
    return true;
}

}  // namespace plimsoll::files
