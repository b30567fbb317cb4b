#include "core/files/results/largest_json.h"

#include "core/values/knobs/wording.h"
#include "core/files/text/part.h"

namespace plimsoll {

using namespace files;

std::string to_json(const std::vector<LargestModel>& all) {
    OrderedJson list = OrderedJson::array();
    for (const LargestModel& m : all) {
        OrderedJson reasons = OrderedJson::array();
        for (const Obstacle& o : m.obstacles) reasons.push_back(say(o));
        OrderedJson object{{"strategy", m.strategy}, {"obstacles", reasons}, {"layers", m.layers}, {"parameters", m.parameters}};
        if (m.obstacles.empty()) {
            object["step_seconds"] = m.estimate.step.total() / second;
            object["device_bytes"] = m.estimate.worst().total() / byte;
            object["host_bytes"] = m.estimate.host.use.total() / byte;
            object["nvme_bytes"] = m.estimate.nvme.use.total() / byte;
        }
        list.push_back(std::move(object));
    }
    return text_of(list);
}

}  // namespace plimsoll
