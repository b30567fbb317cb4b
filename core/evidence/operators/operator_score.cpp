#include "core/evidence/operators/operator_score.h"

#include "core/evidence/operators/operator_price.h"
#include "core/values/basics/median.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace plimsoll {

namespace {

struct ErrorsOfGroup {
    std::vector<double> all, counted;
};
using GroupKey = std::tuple<std::string, OperatorKind, std::string>;
using ErrorGroups = std::map<GroupKey, ErrorsOfGroup>;

std::vector<OperatorSummary> summaries_of(const ErrorGroups& groups) {
    std::vector<OperatorSummary> all;
    for (const auto& [key, errors] : groups) {
        const auto& [machine, kind, of] = key;
        const MedianError middle = median_of_errors(errors.counted.empty() ? errors.all : errors.counted);
        all.push_back({machine, kind, of, int(errors.all.size()), int(errors.counted.size()), middle.absolute,
                       middle.bias, bar_of(kind)});
    }
    return all;
}

void note_unpriced(std::vector<UnpricedOperators>& all, const std::string& machine, const std::string& reason) {
    for (UnpricedOperators& each : all)
        if (each.machine == machine && each.reason == reason) {
            ++each.rows;
            return;
        }
    all.push_back({machine, reason, 1});
}

}  // namespace

MedianError median_of_errors(const std::vector<double>& errors) {
    std::vector<double> sizes;
    for (const double e : errors) sizes.push_back(std::abs(e));
    return {median(std::move(sizes)), median(errors)};
}

std::optional<double> bar_of(OperatorKind kind) {
    switch (kind) {
        case OperatorKind::product: return 0.06;
        case OperatorKind::attention: return 0.10;
        case OperatorKind::grouped: return 0.12;
        case OperatorKind::collective: return 0.15;
        case OperatorKind::stream: return std::nullopt;
    }
    return std::nullopt;
}

OperatorScore score_operators(const OperatorRows& rows, const std::map<std::string, Machine>& machines) {
    OperatorScore score;
    std::map<std::string, OperatorPrices> prices;
    ErrorGroups of_kind, of_variety, of_size;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const OperatorRow& row = rows[i];
        const auto machine = machines.find(row.machine);
        const std::string reason = machine == machines.end() ? "no preset of this machine"
                                                             : unpriced(row, machine->second);
        if (!reason.empty()) {
            note_unpriced(score.unpriced, row.machine, reason);
            continue;
        }
        OperatorPrices& price = prices.try_emplace(row.machine, machine->second).first->second;
        const Seconds predicted = price(row);
        const double error = predicted / row.time - 1;
        score.rows.push_back({i, predicted, error});
        const auto note = [&](ErrorGroups& groups, const std::string& of) {
            ErrorsOfGroup& group = groups[{row.machine, kind_of(row), of}];
            group.all.push_back(error);
            if (counts(row)) group.counted.push_back(error);
        };
        note(of_kind, "");
        note(of_variety, variety_of(row));
        note(of_size, size_class_of(row));
    }
    score.summaries = summaries_of(of_kind);
    score.varieties = summaries_of(of_variety);
    score.size_classes = summaries_of(of_size);
    return score;
}

}  // namespace plimsoll
