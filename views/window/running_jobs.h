#pragma once
// What runs beside the window, for the status bar: one button while something does, whose menu cancels each.
//
//   jobs->add(tr("Search of layouts"), [this] { return layouts_->busy(); }, [this] { layouts_->cancel(); });
//   connect(layouts_, &LayoutsPage::busy_changed, jobs, &RunningJobs::look);
//
// What ends within a moment is not shown: it would flicker with every edit.

#include <QMenu>
#include <QTimer>
#include <QToolButton>

#include <functional>
#include <vector>

namespace plimsoll {

class RunningJobs : public QToolButton {
    Q_OBJECT
public:
    explicit RunningJobs(QWidget* parent = nullptr);

    // Without `cancel` it is listed and ends by itself.
    void add(const QString& name, std::function<bool()> busy, std::function<void()> cancel);
    QStringList running() const;
    QAction* cancel_all() { return &cancel_all_; }   // for a menu; enabled while there is something to cancel

public slots:
    void look();   // something began or ended

private:
    struct Job {
        QString name;
        std::function<bool()> busy;
        std::function<void()> cancel;
    };
    void refresh();
    void fill();

    std::vector<Job> jobs_;
    QMenu menu_;
    QAction cancel_all_;
    QTimer moment_;
};

}  // namespace plimsoll
