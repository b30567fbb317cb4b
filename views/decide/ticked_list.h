#pragma once
// A button with a list behind it in which any number of lines are ticked; words find lines, and ticking closes nothing.
//
//   auto* machines = new TickedList(tr("Machines"));
//   machines->offer({{"lumi", "LUMI-G", true}, {"frontier", "Frontier", true}});
//   connect(machines, &TickedList::ticked, this, [](const QString& id, bool on) { ... });

#include <QLineEdit>
#include <QListWidget>
#include <QStringList>
#include <QToolButton>

#include <vector>

namespace plimsoll {

class TickedList : public QToolButton {
    Q_OBJECT
public:
    struct Line {
        QString id, text;
        bool on = false;
    };
    explicit TickedList(const QString& title, QWidget* parent = nullptr);

    void offer(const std::vector<Line>&);   // in place of the lines there are
    QStringList ticked_ids() const;
    int count() const { return list_->count(); }
    QListWidget* list() const { return list_; }
    QLineEdit* filter() const { return filter_; }

signals:
    void ticked(const QString& id, bool on);

private:
    void tick_shown(bool on);
    void show_count();

    QString title_;
    QLineEdit* filter_;
    QListWidget* list_;
};

}  // namespace plimsoll
