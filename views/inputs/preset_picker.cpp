#include "views/inputs/preset_picker.h"

#include "views/parts/text.h"

#include <QKeyEvent>
#include <QScreen>
#include <QSettings>
#include <QStylePainter>
#include <QWheelEvent>

#include <algorithm>

namespace plimsoll {

namespace {

constexpr int most_recent_presets = 5, most_rows = 20;
constexpr const char *recent = "recent", *favourite = "favourite";

SearchEntry entry_of(const PresetName& p) {
    return {.group = p.group, .found_by = findable(p), .detail = p.detail};
}

}  // namespace

PresetPicker::PresetPicker(PresetKind kind, const Library& library, QWidget* parent)
    : QComboBox(parent), kind_(kind), library_(library) {
    const QString what[] = {tr("model"), tr("machine"), tr("stack")};
    popup_ = new SearchList(SearchList::Groups::headings, tr("Find a %1").arg(what[int(kind)]), this);
    popup_->setWindowFlag(Qt::Popup);
    popup_->field()->installEventFilter(this);
    popup_->field()->setToolTip(tr("Ctrl+D keeps the marked %1 on top").arg(what[int(kind)]));
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
    setAccessibleName(kind == PresetKind::model     ? tr("Model preset")
                      : kind == PresetKind::machine ? tr("Machine preset")
                                                    : tr("Stack preset"));
    addItem(tr("Choose a preset"));
    connect(popup_, &SearchList::chosen, this, &PresetPicker::pick);
    connect(popup_, &SearchList::cancelled, this, &PresetPicker::hidePopup);
}

void PresetPicker::show_part(const PresetPart& part) {
    shown_ = part.id;
    const QString name = part.name.isEmpty() ? tr("Choose a preset") : part.name;
    const QString text = part.edited ? tr("%1 (edited)").arg(name) : name;
    if (itemText(0) != text) setItemText(0, text);
    setToolTip(plain_text(part.note.isEmpty() ? name : name + u'\n' + part.note));
    setAccessibleDescription(accessibleName() + QStringLiteral(". ") + part.note);  // a list's own name is its value
}

void PresetPicker::show_preset(const std::string& id) {
    for (const PresetName& p : presets_of(kind_, library_))
        if (p.id == id) show_part({p.id, p.name, p.note, false});
}

QString PresetPicker::key(const char* list) const {
    const char* kinds[] = {"models", "machines", "stacks"};
    return QStringLiteral("presets/%1/%2").arg(QLatin1String(kinds[int(kind_)]), QLatin1String(list));
}

QStringList PresetPicker::kept(const char* list) const {
    return remembers_ ? QSettings().value(key(list)).toStringList() : QStringList();
}

// Favourites and those used last stand on top while nothing is typed, and in their group as well.
void PresetPicker::fill() {
    const std::vector<PresetName> all = presets_of(kind_, library_);
    std::vector<SearchEntry> entries;
    ids_.clear();
    const auto add = [&](const PresetName& p, const QString& on_top) {
        SearchEntry entry = entry_of(p);
        entry.only_untyped = !on_top.isEmpty();
        if (entry.only_untyped) entry.group = on_top;
        entries.push_back(std::move(entry));
        ids_.push_back(p.id);
    };
    const auto add_kept = [&](const char* list, const QString& on_top) {
        for (const QString& id : kept(list))
            for (const PresetName& p : all)
                if (to_qt(p.id) == id) add(p, on_top);
    };
    add_kept(favourite, tr("Favourites"));
    add_kept(recent, tr("Used last"));
    for (const PresetName& p : all) add(p, {});
    popup_->set_entries(std::move(entries));
}

void PresetPicker::showPopup() { open({}); }

void PresetPicker::hidePopup() { popup_->hide(); }

// Below the picker or above it, wherever there is more room, and never beyond the screen.
void PresetPicker::open(const QString& typed) {
    fill();
    const QRect screen = this->screen()->availableGeometry();
    const QPoint below = mapToGlobal(QPoint(0, height())), above = mapToGlobal(QPoint(0, 0));
    const int room_below = screen.bottom() - below.y(), room_above = above.y() - screen.top();
    const bool down = room_below >= popup_->height_for(most_rows) || room_below >= room_above;
    const int high = std::min(popup_->height_for(most_rows), std::max(120, down ? room_below : room_above));
    const int wide = std::min(screen.width(), std::max(width(), 72 * fontMetrics().averageCharWidth()));
    const int left = std::clamp(below.x(), screen.left(), std::max(screen.left(), screen.right() - wide));
    popup_->setGeometry(left, down ? below.y() : above.y() - high, wide, high);
    popup_->show();
    popup_->start(typed);
    if (!typed.isEmpty()) return;
    const auto at = std::find(ids_.rbegin(), ids_.rend(), shown_);
    if (at != ids_.rend()) popup_->mark(int(std::distance(at, ids_.rend())) - 1);
}

void PresetPicker::pick(int entry) {
    const QString id = to_qt(ids_[std::size_t(entry)]);
    hidePopup();
    if (remembers_) {
        QStringList last = kept(recent);
        last.removeAll(id);
        last.prepend(id);
        QSettings().setValue(key(recent), last.mid(0, most_recent_presets));
    }
    emit picked(id);
}

void PresetPicker::toggle_favourite() {
    const QListWidgetItem* item = popup_->list()->currentItem();
    const int entry = popup_->marked_entry();
    if (!remembers_ || !item || entry < 0) return;
    const QString id = to_qt(ids_[std::size_t(entry)]);
    QStringList all = kept(favourite);
    if (all.removeAll(id) == 0) all.prepend(id);
    QSettings().setValue(key(favourite), all);
    fill();
}

// The popup's field: a favourite comes and goes by Ctrl+D.
bool PresetPicker::eventFilter(QObject* watched, QEvent* event) {
    if (watched == popup_->field() && event->type() == QEvent::KeyPress) {
        const auto* key_event = static_cast<QKeyEvent*>(event);
        if (key_event->key() == Qt::Key_D && key_event->modifiers() == Qt::ControlModifier)
            return toggle_favourite(), true;
    }
    return QComboBox::eventFilter(watched, event);
}

void PresetPicker::keyPressEvent(QKeyEvent* event) {
    const QString typed = event->text();
    const bool command = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    if (!command && !typed.isEmpty() && typed.front().isPrint() && !typed.front().isSpace()) return open(typed);
    switch (event->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Space:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_F4:
            return open({});
        default:
            return QWidget::keyPressEvent(event);
    }
}

// A long name ends in dots instead of under the arrow.
void PresetPicker::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - 4);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

PresetBox::PresetBox(PresetKind kind, Workspace& workspace, QWidget* parent)
    : PresetPicker(kind, workspace.library(), parent), workspace_(workspace) {
    connect(&workspace, &Workspace::library_changed, this, [this] { present(workspace_.snapshot()); });
    connect(this, &PresetPicker::picked, this, [this](const QString& id) {
        const auto next = with_preset(workspace_.scenario(), this->kind(), id.toStdString(), workspace_.library());
        if (next) workspace_.propose(*next, part_of(*next, this->kind(), workspace_.library()).name);
    });
}

void PresetBox::present(const Snapshot& s) { show_part(part_of(s.scenario, this->kind(), workspace_.library())); }

}  // namespace plimsoll
