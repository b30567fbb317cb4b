#pragma once
// How a row of settings takes a value. Internal to core/files/import.

#include "core/files/import/plan_draft.h"

// Of a field of the draft: a whole number, a switch, a positive number.
#define WHOLE(field, low) [](PlanDraft& d, const Setting& s) { return take_whole(d.field, s, low); }
#define FLAG(field) [](PlanDraft& d, const Setting& s) { return take_flag(d.field, s); }
#define NUMBER(field) [](PlanDraft& d, const Setting& s) { return take_number(d.field, s); }
// Whole numbers of which -1 leaves the choice to the framework.
#define WHOLE_OR_REST(field) \
    [](PlanDraft& d, const Setting& s) { return s.value == "-1" || take_whole(d.field, s, 1); }
// A text as it stands, and what a switch does where it is on.
#define TEXT(field) [](PlanDraft& d, const Setting& s) { return d.field = s.value, true; }
#define IF_ON(effect) \
    [](PlanDraft& d, const Setting& s) { \
        if (flag_said(s)) effect; \
        return flag_of(s.value).has_value(); \
    }
