// Fujitsu's Power API on A64FX (Fugaku, FX1000): joules of `plat.node`, the only
// object that is measured; those of core groups and memory are estimates and are
// left alone. The numbers behind its names are in pwr.h, which is not public: they
// are taken where the engine is compiled on such a machine. The library is opened
// when it is there, as compute nodes have it and login nodes may not.
#include "engine/power/sources/files.h"
#include "engine/power/sources/sources.h"

#include <utility>

#ifdef PLIMSOLL_PWR_HEADER
#include <pwr.h>
#endif

namespace plimsoll::engine::power {
namespace {

#ifdef PLIMSOLL_PWR_HEADER
constexpr int fx1000 = int(PWR_CNTXT_FX1000), application = int(PWR_ROLE_APP),
              measured_energy = int(PWR_ATTR_MEASURED_ENERGY);
#endif

struct Pwr {
    int (*open)(int context, int role, const char* name, void** made);
    int (*object)(void* context, const char* name, void** found);
    int (*value)(void* object, int attribute, void* value, std::int64_t* stamp_ns);
};

// Joules as a floating number: a smaller one is another beginning.
class MeasuredEnergy {
public:
    MeasuredEnergy(const Pwr& pwr, void* node, int attribute) : pwr_(pwr), node_(node), attribute_(attribute) {}
    Expected<Reading, std::string> operator()(double now_s) {
        double joules = 0;
        std::int64_t stamp = 0;
        const bool begun = std::exchange(begun_, pwr_.value(node_, attribute_, &joules, &stamp) == 0);
        if (!begun_) return Unexpected<std::string>{"the Power API no longer answers"};
        const double before = std::exchange(last_, joules);
        if (begun && joules < before) return Unexpected<std::string>{"the counter went back: it was restarted"};
        if (begun) sum_ += joules - before;
        return Reading{sum_, now_s};
    }

private:
    Pwr pwr_;
    void* node_;
    int attribute_;
    bool begun_ = false;
    double last_ = 0, sum_ = 0;
};

}  // namespace

Opened open_a64fx_as(const std::string& library, int context_kind, int role, int attribute) {
    const Library l(library);
    if (!l) return Unexpected<std::string>{l.problem()};
    const Pwr pwr{
        .open = l["PWR_CntxtInit"], .object = l["PWR_CntxtGetObjByName"], .value = l["PWR_ObjAttrGetValue"]};
    if (!pwr.open || !pwr.object || !pwr.value) return Unexpected<std::string>{library + " is no Power API"};
    void *context = nullptr, *node = nullptr;
    double joules = 0;
    std::int64_t stamp = 0;
    if (pwr.open(context_kind, role, "plimsoll-engine", &context) != 0)
        return Unexpected<std::string>{"the Power API has no FX1000 context"};
    if (pwr.object(context, "plat.node", &node) != 0) return Unexpected<std::string>{"the Power API has no plat.node"};
    if (pwr.value(node, attribute, &joules, &stamp) != 0)
        return Unexpected<std::string>{"plat.node tells no measured energy"};
    return reader_of({{{.name = "node", .scope = Scope::node}, MeasuredEnergy(pwr, node, attribute)}});
}

Opened open_a64fx(const Places& places) {
#ifdef PLIMSOLL_PWR_HEADER
    return open_a64fx_as(places.pwr, fx1000, application, measured_energy);
#else
    if (const Library l(places.pwr); !l) return Unexpected<std::string>{l.problem()};
    return Unexpected<std::string>{
        "this engine was built without Fujitsu's pwr.h, which holds the numbers to ask with: build it on the machine"};
#endif
}

}  // namespace plimsoll::engine::power
