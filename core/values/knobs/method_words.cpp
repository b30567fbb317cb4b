#include "core/values/knobs/method_words.h"

#include "core/values/basics/names.h"
#include "core/values/knobs/wording.h"
#include "core/values/plan/weights.h"

namespace plimsoll {

std::string say_method(const Scenario& s) {
    const Method& m = s.method;
    if (!tunes(m)) return {};
    std::string text = m.purpose == Purpose::preference ? "preference training of " : "fine-tuning of ";
    if (trains_adapters(m))
        text += "adapters of rank " + std::to_string(m.rank) + " (" + names_of_adapted(m.adapted)
              + "): " + say_count(trained_parameters(s.model, m)) + " trained parameters beside frozen weights"
              + (quantises_frozen(m) ? " in " + std::string(name_of(m.frozen)) : std::string());
    else text += "all weights";
    if (m.purpose == Purpose::preference)
        text += m.reference == Reference::resident       ? ", with a copy of the model as reference"
              : m.reference == Reference::adapters_off ? ", with the model without its adapters as reference"
                                                       : ", with no reference model in the step";
    return text;
}

std::string say_flop_count(const Method& m) {
    return tunes(m) ? std::to_string(flop_of_parameter(m)) + " N FLOP a token" : std::string();
}

}  // namespace plimsoll
