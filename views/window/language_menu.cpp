#include "views/window/language_menu.h"

#include "views/parts/language.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>

namespace plimsoll {

void add_language_menu(QMenu* view, std::function<void(const QString&)> say) {
    QMenu* menu = view->addMenu(QCoreApplication::translate("LanguageMenu", "Lan&guage"));
    menu->setObjectName(QStringLiteral("languages"));
    auto* group = new QActionGroup(menu);
    const QString now = chosen_language();
    const auto add = [&](const QString& id, const QString& words) {
        QAction* action = group->addAction(menu->addAction(words));
        action->setObjectName(QStringLiteral("language.") + id);
        action->setCheckable(true);
        action->setChecked(id == now);
        QObject::connect(action, &QAction::triggered, menu, [id, say] {
            choose_language(id);
            say(QCoreApplication::translate("LanguageMenu", "The language changes at the next start"));
        });
    };
    add(QStringLiteral("system"), QCoreApplication::translate("LanguageMenu", "As the &desktop"));
    for (const QString& id : languages()) add(id, name_of_language(id));
}

}  // namespace plimsoll
