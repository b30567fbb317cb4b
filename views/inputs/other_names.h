#pragma once
// What people of the field call inputs, pages, commands and numbers besides their names on screen. The input search and
// the command palette both find by it.
//
//   other_names("layout.tensor_parallel");     // "TP", "tensor model parallel", ...

#include <QString>
#include <QStringList>

namespace plimsoll {

// By the id of a knob, "page.NAME", "number.ID" of what explain() knows, or "command.WORDS" of a menu entry in lower
// case with dots between its words. Empty for what has none. The most usual name is the first. A level of a network is
// called by what it is to the nodes of its machine: "machine.network.node_GBps", "machine.network.system_GBps".
QStringList other_names(const QString& id);
// Every id the table has, so that a test can hold it against what exists.
QStringList ids_with_other_names();

}  // namespace plimsoll
