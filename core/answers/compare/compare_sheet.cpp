#include "core/answers/compare/compare_sheet.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/network_levels.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace plimsoll {

namespace {

constexpr std::size_t usual_pieces = 3;
constexpr double told_as_factor = 10;

std::string degrees_in_short(const Layout& l) {
    std::string text = "TP" + std::to_string(l.tensor_parallel) + " PP" + std::to_string(l.pipeline_parallel);
    return l.virtual_stages > 1 ? text + " x" + std::to_string(l.virtual_stages) : text;
}

// What stands before a value instead of the knob's label.
const char* short_label(const std::string& knob) {
    static constexpr std::pair<std::string_view, const char*> labels[] = {
        {"layout.context_parallel", "CP"}, {"layout.expert_parallel", "EP"}, {"layout.micro_batch", "MBS "},
        {"layout.zero_stage", "ZeRO-"},    {"recipe.global_batch_sequences", "GBS "}};
    for (const auto& [id, label] : labels)
        if (knob == id) return label;
    return nullptr;
}

// One kind of difference: what each plan's name says of it. Lower ranks are said first.
struct Piece {
    int rank;
    std::vector<std::string> texts;
};

std::optional<Piece> piece_of(const ComparedRow& row, std::span<const Scenario> plans,
                              const std::set<std::string>& differ) {
    if (row.id == "model" || row.id == "machine" || row.id == "stack") return Piece{0, row.values};
    // A group that differs as a whole is named by itself; the rest follows from nodes and degrees.
    const std::size_t dot = row.id.find('.');
    const bool named = dot != std::string::npos && differ.contains(row.id.substr(0, dot));
    if (named || row.id == "machine.reliability.job_mtbf_h" || row.id == "layout.data_parallel"
        || row.id == "layout.devices"
        || (row.id == "layout.schedule" && differ.contains("layout.virtual_stages")))
        return std::nullopt;
    Piece piece{3, {}};
    const bool degrees = row.id == "layout.tensor_parallel" || row.id == "layout.pipeline_parallel"
                      || row.id == "layout.virtual_stages";
    const char* label = short_label(row.id);
    const bool level = level_of(*find_knob(row.id)).has_value();   // which the machine has a name for
    if (degrees) piece.rank = 2;
    else if (row.id == "nodes") piece.rank = 1;
    for (std::size_t i = 0; i < plans.size(); ++i)
        piece.texts.push_back(degrees ? degrees_in_short(plans[i].layout)
                              : label ? label + row.values[i]
                              : level ? row.label + ' ' + row.values[i]
                                      : say_edit(*find_knob(row.id), row.numbers[i]));
    return piece;
}

bool all_told_apart(const std::vector<std::string>& names) {
    return std::set(names.begin(), names.end()).size() == names.size();
}

}  // namespace

std::vector<std::string> names_by_difference(std::span<const Scenario> plans, const Comparison& c) {
    std::set<std::string> groups;
    for (const ComparedRow& row : c.inputs) groups.insert(row.id);
    std::vector<Piece> pieces;
    for (const ComparedRow& row : c.inputs) {
        auto piece = piece_of(row, plans, groups);
        const auto alike = [&](const Piece& p) { return p.texts == piece->texts; };
        if (piece && std::ranges::none_of(pieces, alike)) pieces.push_back(*std::move(piece));
    }
    std::ranges::stable_sort(pieces, {}, &Piece::rank);
    std::vector<std::string> names(plans.size());
    for (std::size_t k = 0; k < pieces.size() && (k < usual_pieces || !all_told_apart(names)); ++k)
        for (std::size_t i = 0; i < names.size(); ++i)
            names[i] += (k == 0 ? "" : ", ") + pieces[k].texts[i];
    std::set<std::string> seen;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty()) names[i] = phrase("Plan {1}", int(i) + 1);
        if (!seen.insert(names[i]).second) names[i] += " (" + std::to_string(i + 1) + ")";
    }
    return names;
}

Against against_first(const ComparedRow& row, std::size_t plan) {
    if (plan == 0 || row.values[plan] == row.values[0]) return Against::same;
    if (row.numbers.empty() || row.wanted == Wanted::either) return Against::other;
    const bool less = row.numbers[plan] < row.numbers[0];
    return less == (row.wanted == Wanted::less) ? Against::better : Against::worse;
}

std::string say_change(const ComparedRow& row, std::size_t plan) {
    const Against against = against_first(row, plan);
    if (against == Against::same || row.numbers.empty()) return {};
    const double from = row.numbers[0], to = row.numbers[plan];
    if (!std::isfinite(from) || !std::isfinite(to) || from == 0) return {};
    const double change = to / from - 1;
    const std::string sign = against == Against::better ? "▲ " : against == Against::worse ? "▼ " : "";
    if (change + 1 >= told_as_factor) return sign + "x " + significant(change + 1, 3);
    return sign + signed_percent(change, std::abs(change) < 0.0995 ? 1 : 0);
}

std::string about_signs() {
    return phrase("Under each number stands the difference from the first plan: ▲ better, ▼ worse.");
}

Sheet compare_sheet(const Comparison& c, const std::vector<std::string>& names, bool only_differences) {
    Sheet sheet;
    sheet.title = phrase("Plans beside each other");
    sheet.columns.push_back({""});
    for (const std::string& name : names) sheet.columns.push_back({name, {}, true});
    for (const auto* rows : {&c.inputs, &c.answers})
        for (const ComparedRow& row : *rows) {
            if (only_differences && !row.differs) continue;
            std::vector<std::string> cells{phrase(row.label)};
            for (std::size_t i = 0; i < row.values.size(); ++i) {
                const std::string change = rows == &c.answers ? say_change(row, i) : "";
                cells.push_back(change.empty() ? row.values[i] : row.values[i] + " (" + change + ")");
            }
            sheet.rows.push_back(std::move(cells));
        }
    sheet.notes = {phrase("In brackets stands the difference from the first plan: ▲ better, ▼ worse. Failures, "
                          "checkpoints and ends of jobs are counted.")};
    for (const Waterfall& w : c.waterfalls)
        sheet.notes.push_back(phrase("{1} against {2}: {3}.", names[std::size_t(&w - c.waterfalls.data()) + 1],
                                     names.front(), w.why));
    return sheet;
}

}  // namespace plimsoll
