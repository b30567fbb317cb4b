#include "engine/calibrate/earlier.h"

#include <fstream>

namespace plimsoll::engine {

void Earlier::take(const nlohmann::ordered_json& line) {
    const std::string type = line.value("type", "");
    if (type == "hw" && line.contains("cpu_model") && line["cpu_model"].is_string()) processors_.push_back(line["cpu_model"]);
    if (type == "experiment") {
        open_ = line.value("id", "");
        lines_.clear();
        return;
    }
    if (open_.empty()) return;
    if (type != "beat") lines_.push_back(line);
    if (type != "run") return;
    if (line.value("status", "") == "ok") complete_[open_] = std::move(lines_);
    open_.clear();
    lines_.clear();
}

Expected<Earlier, std::string> read_earlier(const std::string& path, const Fingerprint& plan) {
    std::ifstream in(path);
    if (!in) return Unexpected("--resume " + path + " cannot be read");
    Earlier earlier;
    bool announced = false;
    for (std::string text; std::getline(in, text);) {
        const auto line = nlohmann::ordered_json::parse(text, nullptr, false);
        if (!line.is_object()) continue;
        if (line.value("type", "") == "experiment" && !std::exchange(announced, true) && !plan.matches(line.value("plan", "")))
            return Unexpected("--resume " + path + " followed another plan (" + line.value("plan", "none") + " rather than " +
                              plan.text() + "): start anew, or with the plan it was made by");
        earlier.take(line);
    }
    if (!announced) return Unexpected("--resume " + path + " holds no run of a calibration");
    return earlier;
}

}  // namespace plimsoll::engine
