#pragma once
// The pages of the window: which there are, in which group each stands, what it answers, and how it is made. The tabs,
// the View menu, the palette and tests go through this list.

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

namespace plimsoll {

class AutoLayout;
class Workspace;

enum class PageGroup { plan, layouts, decide, proposal, evidence };
inline constexpr PageGroup page_groups[] = {PageGroup::plan, PageGroup::layouts, PageGroup::decide,
                                            PageGroup::proposal, PageGroup::evidence};
QString name_of(PageGroup);

struct WindowPage {
    QString id;              // "overview": of show_page(), of pictures and in settings
    QString title;
    PageGroup group;
    std::function<QWidget*(Workspace&, AutoLayout&)> make;
    QString questions;       // that it answers: the tip of its tab, by which the palette finds it too
    QString inside = {};     // the page that it is a second tab of
};
std::vector<WindowPage> pages();   // in the order of the groups

}  // namespace plimsoll
