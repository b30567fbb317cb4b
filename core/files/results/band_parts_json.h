#pragma once
// What a likely range is made of, as JSON.

#include "core/evidence/published/band.h"
#include "core/files/presets/parts.h"

namespace plimsoll::files {

inline OrderedJson band_parts_json(const std::vector<BandPart>& parts) {
    return json_list(parts, [](const BandPart& p) -> OrderedJson {
        return {{"kind", id_of(p.kind)},
                {"cause", p.cause},
                {"variance", number_json(p.variance)},
                {"band_alone", number_json(p.alone())}};
    });
}

}  // namespace plimsoll::files
