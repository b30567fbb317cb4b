#include "engine/report/failure.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace plimsoll::engine {

nlohmann::ordered_json fields_of(const Failure& failure) {
    return {{"code", word_of(failure.code)}, {"rank", failure.rank}, {"text", failure.text},
            {"exit_code", int(failure.code)}, {"fatal", true}};
}

std::string one_line(const nlohmann::ordered_json& value) {
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string line_of(const Failure& failure, const std::string& run) {
    nlohmann::ordered_json line{{"type", "error"}, {"run", run}};
    line.update(fields_of(failure));
    return one_line(line) + "\n";
}

void report(const Failure& failure, const std::string& run, const std::string& out) {
    const std::string line = line_of(failure, run);
    // One call each: lines of several ranks on one stderr do not mix.
    [[maybe_unused]] auto shown = ::write(STDERR_FILENO, line.data(), line.size());
    if (out.empty()) return;
    const int file =
        ::open((out + ".rank" + std::to_string(failure.rank)).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return;
    shown = ::write(file, line.data(), line.size());
    ::fsync(file);
    ::close(file);
}

}  // namespace plimsoll::engine
