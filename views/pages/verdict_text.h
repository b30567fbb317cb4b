#pragma once
// The verdict in words: whether a plan runs and has room, and what else there is to know of it.

#include "views/document/snapshot.h"

#include <QString>
#include <QStringList>

namespace plimsoll {

struct VerdictText {
    QString icon;          // of the resources; each state has a shape of its own
    QString head;          // "Tight."
    QString body;          // one sentence or several
    QStringList notes;     // a line each, the weightiest first: cautions, what was never measured, runs of one's own
    QString beyond;        // all of what was never measured, of which a note names two things
};
VerdictText verdict_text(const Snapshot&);

QString html_of(const VerdictText&);
// The same without markup: for screen readers and tooltips.
QString plain_of(const VerdictText&);

}  // namespace plimsoll
