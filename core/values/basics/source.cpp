#include "core/values/basics/source.h"

namespace plimsoll {

Source source_of(const Sources& sources, const std::string& pointer) {
    std::string prefix = pointer;
    while (true) {
        if (const auto found = sources.find(prefix); found != sources.end()) return found->second;
        const auto slash = prefix.rfind('/');
        if (slash == prefix.npos) return {SourceKind::estimated, "no source given"};
        prefix.resize(slash);  // ends with "", the pointer of the whole preset
    }
}

}  // namespace plimsoll
