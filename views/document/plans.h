#pragma once
// The plans of a window: several documents in an order of the user's, of which one is in front.
//
//   plans.add(plans.copy_of(plans.current()));      // a copy beside it, which is in front then
//   plans.show(0);
//   plans.close(1);                                 // what is closed can be had back, with its history
//   plans.reopen();
//
// Whoever shows the plan in front listens to the workspace, which follows this list. There is always a plan: when the
// last one is closed, the program begins with an example as it does at its first start. Such an example gives way to
// what is opened next as long as nobody has touched it.

#include "core/files/presets/workspace_json.h"
#include "views/document/document.h"

#include <QObject>
#include <QStringList>
#include <QUndoGroup>

#include <memory>
#include <set>
#include <vector>

namespace plimsoll {

class Plans : public QObject {
    Q_OBJECT
public:
    static constexpr int most_beside = 5;   // with the plan in front, as many as a screen compares

    // `library` has the presets that files name; it has to outlive the plans.
    explicit Plans(const Library& library, QObject* parent = nullptr);

    int count() const { return int(all_.size()); }
    int place() const { return place_; }                 // of the one in front
    Document& current() const { return at(place_); }
    Document& at(int place) const { return *all_[std::size_t(place)]; }
    int place_of(const Document&) const;                 // -1: it is not open
    int place_of_file(const QString& path) const;        // likewise
    int place_of_id(const QString& id) const;            // likewise
    QStringList names() const;                           // of the plans; each once, with a number where it has to be
    QUndoGroup& history() { return history_; }           // of the one in front

    // ---- More and fewer

    std::unique_ptr<Document> make() const;
    // Runs of the user's own, that all plans start from.
    void set_measured(std::shared_ptr<const MeasuredRuns>);
    std::unique_ptr<Document> copy_of(const Document&) const;  // under a name that no open plan has
    enum class Front { taken, left };
    Document& add(std::unique_ptr<Document>, Front = Front::taken);  // behind the one in front

    // In front, in place of the example that the program began with where nobody has touched it.
    Document& start(const ScenarioFile&);
    Document& start(const Scenario& plan) { return start(ScenarioFile{plan, {}, "{}"}); }
    // Errors change nothing. A file that is open comes to the front; one that was changed since is read again, unless
    // that would cost unsaved changes.
    Problems open(const QString& path);
    // Unsaved changes where they were made, else as a plan of their own. Errors change nothing.
    Problems recover(const UnsavedPlan&);

    void show(int place);
    void move(int from, int to);
    void close(int place);                               // asks nobody: that is for whoever has a user to ask
    bool can_reopen() const { return !closed_.empty(); }
    void reopen();                                       // the one that was closed last, where it was
    bool untouched() const;                              // the one in front is the program's own example

    // ---- Beside each other

    // Of those that are not in front: the ones that are compared with it, in the order of the tabs.
    std::vector<int> beside() const;
    bool compared(int place) const { return !apart_.contains(at(place).id()); }
    void set_compared(int place, bool);

    // ---- In one file

    const QString& file() const { return file_; }        // absolute; empty: no file keeps them together
    QString file_name() const;
    Problems open_all(const QString& path);              // in place of the plans there are. Errors change nothing
    Problems save_all(const QString& path);              // plans without a file of their own are saved by that
    int left_out() const;                                // plans of the file that are closed: saving drops them
    bool file_changed_on_disk() const;
    std::string fingerprint() const { return fingerprint_; }
    QStringList kept_ids() const { return kept_; }
    void belong_to(const QString& file, const std::string& fingerprint, const QStringList& kept);  // as last time

signals:
    void leaving();                                      // another plan comes to the front: what is typed is taken now
    void shown();                                        // another plan is in front
    void listed();                                       // others are open, or they stand in another order
    void choice_changed();                               // of those that are compared
    void changed(plimsoll::Document*);                   // as of a document
    void replaced(plimsoll::Document*);
    void edited(plimsoll::Document*, const plimsoll::Scenario& before);
    void file_changed(plimsoll::Document*);
    void closed(plimsoll::Document*);                    // it is no longer listed; it may be had back

private:
    template <class Is>
    int place_where(Is is) const;
    struct Closed {
        std::unique_ptr<Document> document;
        int place;
    };
    std::unique_ptr<Document> example();
    void follow(Document&);
    void insert(std::unique_ptr<Document>, int place, Front);
    std::unique_ptr<Document> remove(int place);
    void come_to_front(int place);

    const Library& library_;
    QUndoGroup history_;                                 // before the documents: their stacks say goodbye to it
    std::vector<std::unique_ptr<Document>> all_;
    std::vector<Closed> closed_;
    std::shared_ptr<const MeasuredRuns> measured_;
    int place_ = 0;
    const Document* example_ = nullptr;                  // that the program began with
    std::set<QString> apart_;                            // by id: not compared
    QString file_;
    std::string fingerprint_;
    QStringList kept_;                                   // ids of the plans that the file holds
};

}  // namespace plimsoll
