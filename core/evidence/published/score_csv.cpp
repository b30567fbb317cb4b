#include "core/evidence/published/score_csv.h"

#include "core/values/basics/csv.h"
#include "core/values/basics/text.h"


namespace plimsoll {

namespace {

constexpr int score_digits = 8;

std::string line(const ScoredRow& r) {
    CsvRow row;
    row.text(r.source).text(r.id).text(r.quantity);
    if (r.quantity.empty()) row.empty(3);
    else row.number(r.published, score_digits).number(r.predicted, score_digits).number(r.error, score_digits);
    row.quoted(r.excluded).quoted(r.family).text(r.plan.machine.id).quoted(r.plan.model.name);
    if (r.plan.machine.id.empty()) row.empty();
    else row.whole(r.plan.layout.devices);
    return row.quoted(joined(r.filled, "; ")).line();
}

}  // namespace

std::string csv_header() {
    return "source,id,quantity,published,predicted,error,excluded,device_family,machine,model,devices,assumed\n";
}

std::string to_csv(const std::vector<ScoredRow>& rows) {
    std::string text;
    for (const ScoredRow& r : rows) text += line(r);
    return text;
}

}  // namespace plimsoll
