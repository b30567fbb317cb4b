#include "core/files/text/problem.h"

#include <algorithm>

namespace plimsoll {

std::string say(const Problem& p) {
    std::string text;
    for (const std::string& where : {p.file, p.pointer})
        if (!where.empty()) text += where + ": ";
    if (p.severity == Severity::warning) text += "warning: ";
    return text + p.message;
}

std::string say(const Problems& problems) {
    std::string text;
    for (const Problem& p : problems) text += say(p) + '\n';
    return text;
}

bool has_errors(const Problems& problems) {
    return std::any_of(problems.begin(), problems.end(), [](const Problem& p) { return p.severity == Severity::error; });
}

}  // namespace plimsoll
