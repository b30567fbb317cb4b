#pragma once
// What the window shows before there is a plan of one's own: recent files, a new plan from what is known of a run, and
// the examples by the question they answer. Nothing here changes a file: examples open as plans of one's own.

#include <QWidget>

#include "views/start/first_plan_form.h"
#include "views/start/gallery.h"

#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>

namespace plimsoll {

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(Workspace& workspace, QWidget* parent = nullptr);

    void show_recent(const QStringList& files);
    void offer_tour(bool on);  // in a line above the rest
    FirstPlanForm* form() const { return form_; }
    PresetPicker* model() const { return form_->model(); }
    PresetPicker* machine() const { return form_->machine(); }
    QTreeWidget* gallery() const { return gallery_; }
    QListWidget* recent() const { return recent_; }
    bool complete() const { return unpriced_.empty(); }  // every example has its numbers

signals:
    void file_asked(const QString& path);
    void example_asked(const QString& path);
    void open_asked();
    void import_asked();
    void tour_asked();
    void tour_declined();
    void back_asked();  // to the plan there is

protected:
    void showEvent(QShowEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    QWidget* build_offer();
    QWidget* build_side();
    QWidget* build_gallery();
    void filter(const QString& words);
    void price_next();
    void ask_example(QTreeWidgetItem* item);

    const Library& library_;
    FirstPlanForm* form_;
    QListWidget* recent_;
    QWidget* recent_box_;
    QWidget* offer_;
    QLabel* hint_;
    QTreeWidget* gallery_;
    std::vector<QTreeWidgetItem*> unpriced_;
    QTimer turn_;  // one example after another, so that the window stays awake
};

}  // namespace plimsoll
