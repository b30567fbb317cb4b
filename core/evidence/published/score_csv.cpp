#include "core/evidence/published/score_csv.h"

#include <cstdio>

namespace plimsoll {

namespace {

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.8g", value);
    return text;
}

std::string quoted(std::string text) {
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
    return '"' + text + '"';
}

std::string joined(const std::vector<std::string>& sentences) {
    std::string all;
    for (const std::string& s : sentences) all += (all.empty() ? "" : "; ") + s;
    return all;
}

std::string line(const ScoredRow& r) {
    std::string text = r.source + ',' + r.id + ',' + r.quantity + ',';
    if (r.quantity.empty()) text += ",,";
    else text += number(r.published) + ',' + number(r.predicted) + ',' + number(r.error);
    const bool planned = !r.plan.machine.id.empty();
    text += ',' + quoted(r.excluded) + ',' + quoted(r.family) + ',' + (planned ? r.plan.machine.id : "") + ',' + quoted(r.plan.model.name) + ',';
    if (planned) text += std::to_string(r.plan.layout.devices);
    return text + ',' + quoted(joined(r.filled)) + '\n';
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
