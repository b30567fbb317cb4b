#pragma once
// A line to type in with a list under it, both worked from the keyboard: the command palette, the pickers of presets.
//
//   list->set_entries({{.group = "Llama", .found_by = {"Llama 2 70B"}, .detail = "80 layers"}});
//   connect(list, &SearchList::chosen, ...);      // the entry's place
//
// Up and Down move the mark, Enter chooses, Esc gives up. Nothing is chosen before Enter or a click.

#include "views/parts/find_words.h"

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>

#include <vector>

namespace plimsoll {

struct SearchEntry {
    QString group = {};         // heading or left column
    Findable found_by = {};     // its label is what is written
    QString detail = {};        // at the right, faint
    bool usable = true;         // else it is shown for its detail, and cannot be chosen
    bool only_untyped = false;  // a shortcut to an entry further below
};

class SearchList : public QFrame {
    Q_OBJECT
public:
    // Groups are a column at the left, or headings while nothing is typed.
    enum class Groups { column, headings };
    SearchList(Groups groups, const QString& invitation, QWidget* parent);

    void set_entries(std::vector<SearchEntry> entries);
    void mark(int entry);        // the line of this entry, scrolled to the middle
    void start(const QString& typed = {});  // empties the field, or types this, and takes the keyboard
    QStringList labels() const;  // of the entries listed, in order
    int marked_entry() const;    // -1: none
    QString marked() const;      // the label that Enter would choose; empty: none
    QLineEdit* field() const { return field_; }
    QListWidget* list() const { return list_; }
    int height_for(int most_rows) const;  // of the whole with its present entries

signals:
    void chosen(int entry);
    void cancelled();
    void refilled();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refill();
    void add(int entry, bool with_group);
    void add_heading(const QString& text);
    void choose();
    void move_mark(int by);
    void set_row(int row);

    Groups groups_;
    QLineEdit* field_;
    QListWidget* list_;
    QLabel* nothing_;
    std::vector<SearchEntry> entries_;
    std::vector<Prepared> found_by_;  // of the entries
};

}  // namespace plimsoll
