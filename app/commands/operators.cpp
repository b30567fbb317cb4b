#include "app/commands/evidence_parts.h"

#include "app/commands/command.h"
#include "app/commands/tables.h"
#include "core/evidence/operators/operator_fit.h"
#include "core/files/presets/preset_json.h"
#include "core/files/results/answers_json.h"
#include "core/files/results/operator_rows.h"
#include "core/files/text/disk.h"

#include <filesystem>
#include <iostream>

namespace plimsoll {

namespace {

Expected<OperatorRows, Refusal> read_operators(const std::vector<std::string>& names, const Library& library) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& name : names) {
        const auto found = library.operators.find(name);
        paths.push_back(found == library.operators.end() ? std::filesystem::path(name) : found->second);
    }
    if (names.empty())
        for (const auto& [id, path] : library.operators) paths.push_back(path);
    OperatorRows all;
    for (const auto& path : paths) {
        const auto text = read_text(path);
        if (!text) return Unexpected{Refusal{exit_invalid_file, say(text.error())}};
        auto rows = read_operator_rows(*text, path.string());
        if (!rows) return Unexpected{Refusal{exit_invalid_file, say(rows.error())}};
        all.insert(all.end(), std::make_move_iterator(rows->begin()), std::make_move_iterator(rows->end()));
    }
    return all;
}

std::string in_percent(double share) { return fixed(100 * share, 1) + " %"; }

std::string verdict_of(const OperatorSummary& s) {
    if (!s.bar) return "";
    if (s.counted == 0) return "no row counts";
    return (s.holds() ? "within " : "above ") + fixed(100 * *s.bar, 0) + " %";
}

void print_operator_summaries(std::ostream& out, const char* of, const std::vector<OperatorSummary>& all) {
    TextRows rows{{"machine", "operators", of, "rows", "counted", "median", "bias", ""}};
    for (const OperatorSummary& s : all)
        rows.push_back({s.machine, name_of_kind(s.kind), s.of, std::to_string(s.rows), std::to_string(s.counted),
                        in_percent(s.median_absolute), signed_percent(s.bias), verdict_of(s)});
    out << table(rows) << "\n";
}

void print_operator_score(std::ostream& out, const OperatorScore& s) {
    out << "Measured operators against their price: median size and median of the errors of the rows that count\n"
           "(products of at least 1,024 in every dimension, collectives of 1 MiB and more, all others)\n";
    print_operator_summaries(out, "", s.summaries);
    print_operator_summaries(out, "of", s.varieties);
    print_operator_summaries(out, "size", s.size_classes);
    for (const UnpricedOperators& u : s.unpriced)
        out << "not priced: " << counted(u.rows, "row", "rows") << " of " << u.machine << ": " << u.reason << "\n";
}

void print_operator_fits(std::ostream& out, const std::vector<OperatorFit>& fits) {
    TextRows errors{{"machine", "operators", "rows", "preset", "fitted", "held out", "of"}};
    TextRows values{{"machine", "constant", "unit", "preset", "fitted", "from", "to", ""}};
    for (const OperatorFit& f : fits) {
        errors.push_back({f.machine, f.group, std::to_string(f.rows), in_percent(f.before), in_percent(f.fitted),
                          in_percent(f.held_out), joined(f.sources)});
        for (const OperatorConstant& c : f.constants)
            values.push_back({f.machine, c.id, c.unit,
                              significant(c.present, 4), significant(c.value, 4), significant(c.low, 3),
                              significant(c.high, 3), c.determined ? "" : "held by its prior"});
    }
    out << "Median error of the rows that count; held out: the odd rows from the even ones\n"
        << table(errors) << "\nConstants, with 95 % intervals\n" << table(values);
}

}  // namespace

int validate_operators(const std::vector<std::string>& names, bool json) {
    const Library& library = shipped_library();
    const auto rows = read_operators(names, library);
    if (!rows) return refuse(rows.error());
    const OperatorScore score = score_operators(*rows, library.machines);
    if (json) std::cout << to_json(score);
    else print_operator_score(std::cout, score);
    return exit_ok;
}

int fit_operator_constants(const std::vector<std::string>& names, const std::string& out, bool json) {
    namespace fs = std::filesystem;
    const Library& library = shipped_library();
    const auto rows = read_operators(names, library);
    if (!rows) return refuse(rows.error());
    const std::vector<OperatorFit> fits = fit_operators(*rows, library.machines);
    if (json) std::cout << to_json(fits);
    else print_operator_fits(std::cout, fits);
    if (out.empty()) return exit_ok;
    for (const auto& [id, machine] : machines_with(fits, library.machines)) {
        const fs::path path = fs::path(out) / "machines" / (id + ".json");
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        if (const auto written = write_atomically(path, write_machine(machine)); !written)
            return refuse(Refusal{exit_failure, say(written.error())});
        std::cerr << "wrote " << path.string() << "\n";
    }
    return exit_ok;
}

}  // namespace plimsoll
