#pragma once
// The log of an earlier attempt at the same plan: which of its runs are complete,
// and their lines.
//
//   const auto earlier = read_earlier("run.jsonl.part", Fingerprint().add(plan_text));
//   if (earlier) if (const auto* lines = earlier->lines_of("gemm")) for (const auto& line : *lines) log.write(...);

#include "core/values/basics/expected.h"
#include "core/values/basics/fingerprint.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace plimsoll::engine {

class Earlier {
public:
    using Lines = std::vector<nlohmann::ordered_json>;
    // Null unless the run ended well. From the line after its announcement to its `run` line.
    const Lines* lines_of(const std::string& id) const {
        const auto at = complete_.find(id);
        return at == complete_.end() ? nullptr : &at->second;
    }
    const std::vector<std::string>& processors() const { return processors_; }  // of its nodes

private:
    friend Expected<Earlier, std::string> read_earlier(const std::string&, const Fingerprint&);
    void take(const nlohmann::ordered_json& line);
    std::map<std::string, Lines> complete_;
    std::vector<std::string> processors_;
    std::string open_;               // id of the run whose lines come
    Lines lines_;
};

// Or why it cannot be taken over: not readable, of another plan. A last line that is cut off is left out.
Expected<Earlier, std::string> read_earlier(const std::string& path, const Fingerprint& plan);

}  // namespace plimsoll::engine
