#include "views/window/pages.h"

#include "views/calibrate/calibrate_page.h"
#include "views/decide/compare_page.h"
#include "views/decide/goal_page.h"
#include "views/decide/proposal_page.h"
#include "views/decide/questions_page.h"
#include "views/decide/tornado_page.h"
#include "views/evidence/validation_page.h"
#include "views/explore/layouts_page.h"
#include "views/explore/timeline_page.h"
#include "views/jobs/own_software_page.h"
#include "views/pages/chart_pages.h"
#include "views/pages/energy_page.h"

namespace plimsoll {

namespace {

using Make = std::function<QWidget*(Workspace&, AutoLayout&)>;

Make charts(std::vector<std::string> figures, int columns, std::vector<std::string> sometimes = {}) {
    return [=](Workspace& workspace, AutoLayout&) {
        return new ChartPage(workspace, figures, columns, nullptr, sometimes);
    };
}

template <class Kind>
Make page() {
    return [](Workspace& workspace, AutoLayout&) { return new Kind(workspace); };
}

Make layouts_page() {
    return [](Workspace& workspace, AutoLayout& automatic) { return new LayoutsPage(workspace, automatic); };
}

}  // namespace

QString name_of(PageGroup group) {
    switch (group) {
        case PageGroup::plan: return QObject::tr("Plan");
        case PageGroup::layouts: return QObject::tr("Layouts");
        case PageGroup::decide: return QObject::tr("Decide");
        case PageGroup::proposal: return QObject::tr("Proposal");
        case PageGroup::evidence: return QObject::tr("Evidence");
    }
    return {};
}

std::vector<WindowPage> pages() {
    using enum PageGroup;
    const auto tr = [](const char* text) { return QObject::tr(text); };
    return {
        {"overview", tr("Overview"), plan,
         charts({"time-vs-nodes", "memory-per-stage", "step-breakdown", "energy-vs-nodes"}, 2),
         tr("Time, memory, the parts of a step and energy at a glance.")},
        {"time", tr("Time"), plan,
         charts({"time-vs-nodes", "efficiency-vs-nodes", "node-hours-vs-nodes", "step-vs-nodes"}, 2),
         tr("How long does it take on more or fewer nodes, and what does that cost in node-hours?")},
        {"step", tr("Step"), plan, charts({"step-breakdown", "step-vs-nodes"}, 2, {"step-by-kind"}),
         tr("What takes the time of a step, and which kinds of layers?")},
        {"timeline", tr("Timeline"), plan, page<TimelinePage>(),
         tr("What does each pipeline stage do when, and where does it wait?"), "step"},
        {"memory", tr("Memory"), plan, charts({"memory-per-stage"}, 1, {"memory-by-kind"}),
         tr("What fills the memory of each stage, and which kinds of layers?")},
        {"energy", tr("Energy"), plan, page<EnergyPage>(), tr("What does the run draw, cost and emit?")},
        {"resilience", tr("Resilience"), plan, page<ResiliencePage>(),
         tr("What do failures, checkpoints and the ends of jobs take, and how often to write a checkpoint?")},
        {"layouts", tr("Layouts"), PageGroup::layouts, layouts_page(),
         tr("Which split of the devices is the fastest, and which nearly fits?")},
        {"compare", tr("Compare"), decide, page<ComparePage>(),
         tr("How do the plans that are open differ, and why does one take longer?")},
        {"goal", tr("Goal"), decide, page<GoalPage>(), tr("Which plan is the best within my limits?")},
        {"questions", tr("Questions"), decide, page<QuestionsPage>(),
         tr("What would other machines, batches, software or budgets give?")},
        {"tornado", tr("Tornado"), decide, page<TornadoPage>(),
         tr("What does the answer hang on, and how sure is it?")},
        {"proposal", tr("Proposal"), proposal, page<ProposalPage>(),
         tr("What does a programme ask for, and what do I hand in?")},
        {"validation", tr("Validation"), evidence, page<ValidationPage>(),
         tr("How far are predictions off on published runs?")},
        {"calibrate", tr("Calibrate"), evidence, page<CalibratePage>(),
         tr("What does this computer, a job of mine or a running job measure?")},
        {"probes", tr("Measure with your own software"), evidence, page<OwnSoftwarePage>(),
         tr("Which two or three short runs of the software I use tell most about this plan, and what did they say?")},
        {"paper", tr("Rule of thumb"), evidence, page<PaperPage>(),
         tr("What do the equations of a published study give for this plan?")},
    };
}

}  // namespace plimsoll
