"""accessibility.py PLIMSOLL FOLDER: reads the planner's window from outside, as a screen reader does.

Controls have plain names; charts and the timeline are tables with as many rows, and the same numbers, as the files that
the command line writes; arrow keys in a chart read out a row; Tab goes through the window as one reads it. Run by
accessibility.sh, which starts the X server and the session bus. FOLDER is an empty one for files.
"""
import csv
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

PLAN = "presets/scenarios/gpt-neox-20b-a100.json"
FIGURES = ["time-vs-nodes", "memory-per-stage", "step-breakdown", "energy-vs-nodes"]  # of the first page
PATIENCE = 40  # seconds for anything that is waited for; machines that test are busy
TAB, RIGHT, DOWN, MENU, ESCAPE = 0xFF09, 0xFF53, 0xFF54, 0xFF67, 0xFF1B
R, S = Atspi.Role, Atspi.StateType
CONTROLS = {R.PUSH_BUTTON, R.TOGGLE_BUTTON, R.CHECK_BOX, R.RADIO_BUTTON, R.COMBO_BOX, R.SLIDER, R.SPIN_BUTTON, R.TEXT,
            R.ENTRY, R.TABLE, R.TREE, R.TREE_TABLE, R.LIST, R.PAGE_TAB, R.MENU, R.MENU_ITEM, R.PROGRESS_BAR}
NOT_PLAIN = re.compile(r"^[a-z0-9]+([._-][a-z0-9]+)+$|[_<>{}]|&(?! )")

warnings.simplefilter("ignore", DeprecationWarning)  # names of the binding that are as old as the binding
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("failed:", what, flush=True)


def turn():
    """Takes the events that have arrived."""
    context = GLib.MainContext.default()
    while context.pending():
        context.iteration(False)


def wait_for(what, find):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        turn()
        try:
            found = find()
        except GLib.Error:  # an object that has gone meanwhile
            found = None
        if found:
            return found
        time.sleep(0.02)
    sys.exit(f"failed: waited {PATIENCE} s for {what}")


def states(node):
    node.clear_cache()
    return node.get_state_set()


def shown(node):
    return states(node).contains(S.SHOWING)


def children(node):
    return [c for c in (node.get_child_at_index(i) for i in range(node.get_child_count())) if c]


def walk(node):
    """Everything that is shown, without the cells of tables and the lines of lists."""
    yield node
    if node.get_role() in {R.TABLE, R.TREE, R.TREE_TABLE, R.LIST, R.COMBO_BOX, R.SPIN_BUTTON, R.MENU}:
        return
    for child in children(node):
        if shown(child):
            yield from walk(child)


def told(node):
    return f'{node.get_role_name()} "{node.get_name()}"'


def find(window, role, name):
    for node in walk(window):
        if node.get_role() == role and node.get_name() == name:
            return node
    return None


def names_are_plain(window):
    count = 0
    for node in walk(window):
        if node.get_role() not in CONTROLS:
            continue
        count += 1
        name = node.get_name().strip()
        check(name and not NOT_PLAIN.search(name), f"a control without a plain name: {told(node)}")
        if node.get_role() == R.COMBO_BOX:  # its name is what is chosen
            labels = [r for r in node.get_relation_set() if r.get_relation_type() == Atspi.RelationType.LABELLED_BY]
            check(labels or node.get_description(), f"nothing says what {told(node)} is for")
    check(count > 60, f"the window has only {count} controls")


def rows_of_file(path):
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return list(csv.reader(lines))[1:]


def title_of_file(path):
    """The title stands in the first line, with the unit of the numbers."""
    first = Path(path).read_text(encoding="utf-8").splitlines()[0]
    return re.sub(r" \([^()]*\)$", "", first.removeprefix("# "))


def number(text):
    return float(re.sub(r"[^0-9.eE+-].*$", "", text.replace(",", "").replace("\u2212", "-")))


def charts_are_tables(window, folder):
    for figure in FIGURES:
        path = next(Path(folder).glob(f"*-{figure}.csv"))
        title, rows = title_of_file(path), rows_of_file(path)
        node = wait_for(f"a table named {title}", lambda: find(window, R.TABLE, title))
        count = Atspi.Table.get_n_rows(node)
        check(count == len(rows), f"{title}: {count} rows, {len(rows)} in the file")
        check(len(node.get_description()) > 20, f"{title} is not summed up: {node.get_description()!r}")
        headings = [Atspi.Table.get_column_description(node, i) for i in range(Atspi.Table.get_n_columns(node))]
        check(len(headings) > 1 and all(headings), f"{title} has the headings {headings}")
        first = 2 if headings[1].startswith("Total") else 1  # the sum of a stack comes before its parts
        for row in {0, len(rows) // 2, len(rows) - 1}:
            is_name, is_value = (Atspi.Table.get_accessible_at(node, row, i).get_name() for i in (0, first))
            name, value = rows[row][0], float(rows[row][1])
            same = is_name == name or number(is_name) == float(name)
            check(same and abs(number(is_value) - value) <= 0.01 * abs(value) + 1e-9,
                  f"{title}, row {row}: {is_name}, {is_value}; the file has {name}, {value}")


class Focus:
    """What gets the keyboard, as the window tells it."""

    def __init__(self):
        self.heard = []
        self.listener = Atspi.EventListener.new(self.hear)
        self.listener.register("object:state-changed:focused")

    def hear(self, event):
        if event.detail1 == 1:
            self.heard.append(event.source)

    def after(self, what, act):
        """The last that gets it by this."""
        self.heard.clear()
        act()
        wait_for(f"the keyboard to move by {what}", lambda: self.heard)
        return self.heard[-1]


def take_focus(node):
    for action in range(Atspi.Action.get_n_actions(node)):
        if Atspi.Action.get_action_name(node, action) == "SetFocus":
            return Atspi.Action.do_action(node, action)
    sys.exit(f"failed: {told(node)} cannot be given the keyboard")


def activate(window):
    """By a click into the first field: there is no window manager that would do it."""
    left, top, right, bottom = box(name_field(window))
    Atspi.generate_mouse_event((left + right) // 2, (top + bottom) // 2, "b1c")
    wait_for("the window to be active", lambda: states(window).contains(S.ACTIVE))


def name_field(window):
    return find(window, R.TEXT, "Name of the plan") or find(window, R.ENTRY, "Name of the plan")


def press(key):
    Atspi.generate_keyboard_event(key, None, Atspi.KeySynthType.SYM)


def arrows_read_a_chart(window, focus):
    chart = find(window, R.TABLE, "Time to train")   # the strip of layers is a table, too
    focus.after("asking for it", lambda: take_focus(chart))
    summary = chart.get_description()
    for row in range(3):
        cell = focus.after("the right arrow", lambda: press(RIGHT))
        said = cell.get_description()
        check(cell.get_role() == R.TABLE_CELL, f"an arrow key in a chart leads to {told(cell)}")
        check(cell.get_name() == Atspi.Table.get_accessible_at(chart, row, 0).get_name(),
              f"arrow {row + 1} reads {cell.get_name()}")
        check(cell.get_name() in said and said.count(":") >= 2, f"a row is read as {said!r}")
    chart.clear_cache()
    check(chart.get_description() == summary, "the cursor replaces the summary of the chart")


def menu_key_opens_a_menu(focus):
    """Of the chart that has the keyboard."""
    press(MENU)
    names = [focus.after("Down in the menu of a chart", lambda: press(DOWN)).get_name() for _ in range(2)]
    check("Show as table" in names, f"the menu of a chart holds {names}")
    press(ESCAPE)


def box(node):
    at = Atspi.Component.get_extents(node, Atspi.CoordType.SCREEN)
    return at.x, at.y, at.x + at.width, at.y + at.height


def ancestors(node):
    line = []
    while node:
        line.append(node)
        node = node.get_parent()
    return line


def is_read_after(first, second):
    """The second stands below the first or right of it, as parts of the smallest thing that holds both."""
    one, other = ancestors(first), ancestors(second)
    while len(one) > 1 and len(other) > 1 and one[-2] == other[-2]:
        one.pop()
        other.pop()
    if len(one) < 2 or len(other) < 2:
        return True
    a, b = box(one[-2]), box(other[-2])
    slack = 4  # pixels
    return b[1] >= a[3] - slack or (b[0] >= a[2] - slack and b[3] > a[1] + slack)


def tab_follows_reading(window, focus):
    order = [focus.after("asking for it", lambda: take_focus(name_field(window)))]
    while len(order) < 200:
        got = focus.after(f"Tab from {told(order[-1])}", lambda: press(TAB))
        if got == order[0]:
            break
        check(got not in order, f"Tab comes back to {told(got)} before the round is complete")
        if got in order:
            return
        order.append(got)
    check(20 < len(order) < 200, f"Tab goes round in {len(order)} steps")
    # Once in a round Tab goes from the end of the window to its beginning.
    back = [f"{told(a)} -> {told(b)}" for a, b in zip(order, order[1:] + order[:1]) if not is_read_after(a, b)]
    check(len(back) <= 1, "Tab goes against the order of reading: " + "; ".join(back))


def timeline_is_a_table(window, plimsoll):
    text = subprocess.run([plimsoll, "timeline", PLAN, "--csv"], check=True, capture_output=True, text=True).stdout
    tasks = len([line for line in text.splitlines() if not line.startswith("#")]) - 1
    for name in ("Step", "Timeline"):
        tab = wait_for(f"the tab {name}", lambda name=name: find(window, R.PAGE_TAB, name))
        Atspi.Action.do_action(tab, 0)
    node = wait_for("the timeline", lambda: find(window, R.TABLE, "Pipeline timeline"))
    rows = wait_for("its tasks", lambda: Atspi.Table.get_n_rows(node))
    check(rows == tasks, f"the timeline has {rows} rows, the file {tasks}")


def main(plimsoll, folder):
    quiet = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([plimsoll, "export", PLAN, "--out", folder, "--formats", "csv"], check=True, env=quiet,
                   stdout=subprocess.DEVNULL)
    window_env = {**os.environ, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
    program = subprocess.Popen([plimsoll, PLAN], env=window_env)
    try:
        Atspi.init()
        desktop = Atspi.get_desktop(0)
        wait_for("the program", lambda: [a for a in children(desktop) if a.get_name().lower().startswith("plimsoll")])
        application = [a for a in children(desktop) if a.get_name().lower().startswith("plimsoll")][0]
        window = wait_for("its window", lambda: next((w for w in children(application) if shown(w)), None))
        check("Plimsoll" in window.get_name(), f"the window is named {window.get_name()!r}")
        focus = Focus()
        activate(window)
        charts_are_tables(window, folder)
        names_are_plain(window)
        arrows_read_a_chart(window, focus)
        menu_key_opens_a_menu(focus)
        tab_follows_reading(window, focus)
        timeline_is_a_table(window, plimsoll)
        names_are_plain(window)
    finally:
        program.terminate()
        code = program.wait(PATIENCE)
    check(code in (0, 128 + signal.SIGTERM, -signal.SIGTERM), f"the program ended with {code}")
    if failures:
        sys.exit(f"{len(failures)} failed")
    print("The window is read as it should be.")


main(sys.argv[1], sys.argv[2])
