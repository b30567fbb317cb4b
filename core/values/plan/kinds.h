#pragma once
// A model's kinds of layers as they are stated: their letters, what is wrong with them, and the same layers as a table
// and a pattern where a model only says how many have experts or a window.
//
//   letters_of(model)                          // "MEMEM*E...", one a layer
//   faults_of_kinds(model)                     // none: estimate() may be asked
//   read_pattern(model, "(MEM*E)x5")           // the letters, or a sentence about what is wrong

#include "core/values/basics/expected.h"
#include "core/values/plan/layer.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// One printable character that a pattern does not use otherwise.
constexpr bool names_a_kind(char c) {
    return c > ' ' && c < 127 && std::string_view("()|/,\"\\0123456789").find(c) == std::string_view::npos;
}

// As the model states it. Without a pattern D is a dense layer and E one with experts, d and e those with a window.
char letter_of(const LayerKind&);
std::string letters_of(const Model&);

// The same layers as a table and a pattern.
Model with_kinds_stated(Model);

struct KindFault {
    int kind;           // place in the table
    std::string key;    // of its member; empty: of the kind as a whole
    std::string text;   // without a full stop
};
std::vector<KindFault> faults_of_kinds(const Model&);

// Of a pattern of written out letters, the first that names no kind; 0: there is none.
char letter_without_kind(const Model&, std::string_view pattern);
std::string letters_of_kinds(const Model&);   // "M * E"

// What somebody typed as the pattern of the whole model, written out.
Expected<std::string, std::string> read_pattern(const Model&, std::string_view typed);
// With a pattern that is written out, of as many layers.
Model with_pattern(Model, const std::string& letters);

}  // namespace plimsoll
