#pragma once
// Of which framework a configuration is, by signs that only its files have. A file without such signs is nobody's:
// words that every trainer uses ("vocab_size", "precision") are no evidence.
//
//   Signs signs;
//   for (const Setting& s : settings) signs.look_at(s, name);
//   signs.dialect()       // nothing where no framework's signs suffice
//   signs.refused()       // "verl", of a trainer that is known and not read; empty elsewhere
//
// Internal to core/files/import.

#include "core/files/import/imported_plan.h"
#include "core/files/settings/settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::files {

// Preference training, by what a step of it takes: pairs of answers and a reference model (DPO), pairs alone (ORPO,
// SimPO), or single answers and a reference model (KTO).
enum class Preferences { none, pairs, pairs_alone, answers };

class Signs {
public:
    Signs();
    // One setting, and its name as the rows have it; the text of a script or of a file in Python.
    void look_at(const Setting&, std::string_view name);
    void look_at_text(std::string_view);
    void claim(Dialect);   // by the shape of the file itself

    bool claims(Dialect) const;
    std::optional<Dialect> dialect() const;
    // A trainer by the name its users know it by, and why its files are not read; empty where there is none.
    std::string_view refused() const;
    // Whether that one trains by rewards, of answers that it generates.
    bool asks_for_rewards() const;
    Preferences preferences() const;
    // A setting that asks for adapters or quantised weights, which are not read in every trainer's words. Nothing where
    // none does.
    const std::optional<Setting>& adapter() const { return adapter_; }
    // One that asks for what no plan has: weights of another quantisation, some layers trained.
    const std::optional<Setting>& beyond_plans() const { return beyond_plans_; }

private:
    void look_for_adapters(const Setting&, std::string_view leaf);
    std::vector<std::uint32_t> found_;   // of each trainer of the table, the signs that were seen
    std::uint32_t kinds_ = 0;            // of preferences, a bit each
    std::optional<Setting> adapter_, beyond_plans_;
};

}  // namespace plimsoll::files
