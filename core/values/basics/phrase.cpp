#include "core/values/basics/phrase.h"

namespace plimsoll {

namespace {

thread_local const Phrasebook* spoken = nullptr;

}  // namespace

Speaking::Speaking(const Phrasebook* book) : before_(spoken) { spoken = book; }
Speaking::~Speaking() { spoken = before_; }
const Phrasebook* Speaking::now() { return spoken; }

std::string phrases::filled(std::string_view pattern, std::initializer_list<std::string> places) {
    const std::string found = spoken ? spoken->find(pattern) : std::string();
    const std::string_view form = found.empty() ? pattern : std::string_view(found);
    std::string out;
    for (std::size_t i = 0; i < form.size(); ++i) {
        const bool place = form[i] == '{' && i + 2 < form.size() && form[i + 2] == '}' && form[i + 1] > '0'
                        && std::size_t(form[i + 1] - '0') <= places.size();
        if (place) {
            out += *(places.begin() + (form[i + 1] - '1'));
            i += 2;
        } else {
            out += form[i];
        }
    }
    return out;
}

}  // namespace plimsoll
