// Scaling runs of the user's own, which become points on the charts.
#include "views/window/main_window.h"

#include "core/values/basics/phrase.h"
#include "views/decide/proposal_page.h"
#include "views/parts/text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QStatusBar>

namespace plimsoll {

void MainWindow::ask_scaling() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Your own scaling runs"),
                                                      QFileInfo(document().file()).path(),
                                                      tr("Tables (*.csv *.json);;All files (*)"));
    if (!path.isEmpty()) add_scaling(path);
}

bool MainWindow::add_scaling(const QString& path) {
    if (const Problems problems = scaling_.add(path); has_errors(problems)) {
        show_problems(this, tr("\"%1\" holds no runs that can be read.").arg(QFileInfo(path).fileName()), problems);
        return false;
    }
    proposal_->tell_floor();
    const auto count = static_cast<long long>(workspace_.scaling().runs.size());
    const bool drawn = workspace_.scenario().machine.nodes > 1;
    statusBar()->showMessage(drawn ? tr("Beside the curves over nodes now: %1 that you measured")
                                         .arg(to_qt(numbered(count, "run", "runs")))
                                   : tr("The charts of one node run over devices: measured runs have no place there"),
                             8000);
    return true;
}

void MainWindow::remove_scaling() {
    if (workspace_.scaling().runs.empty())
        return statusBar()->showMessage(tr("No scaling run is beside this plan"), 4000);
    scaling_.remove_all();
    statusBar()->showMessage(tr("The scaling runs are no longer beside this plan; their file is as it was"), 8000);
}

}  // namespace plimsoll
