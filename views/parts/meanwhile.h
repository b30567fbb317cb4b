#pragma once
// A file that has to be read before anything else can go on, read and taken apart beside the window:
//
//   auto read = meanwhile(path, [file = path.toStdString()] { return load_measured_steps(file); });
//   if (!read) return read.error();              // also where the user did not want to wait
//
// The window goes on to be painted. After a moment a box says what is read and offers to cancel: then the reading ends
// by itself and its answer is dropped, so `read` holds copies of all it uses.

#include "core/files/text/problem.h"
#include "core/values/basics/expected.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace plimsoll {

// False where it was cancelled. What `work` throws is thrown here.
bool done_meanwhile(const QString& file, std::function<void()> work);
Problems given_up(const QString& file);

template <class Read>
auto meanwhile(const QString& file, Read read) -> std::invoke_result_t<Read> {
    const auto answer = std::make_shared<std::optional<std::invoke_result_t<Read>>>();
    if (!done_meanwhile(file, [answer, read = std::move(read)] { answer->emplace(read()); }) || !*answer)
        return Unexpected{given_up(file)};
    return std::move(**answer);
}

}  // namespace plimsoll
