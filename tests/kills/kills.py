#!/usr/bin/env python3
"""kills.py WINDOW_DRIVER PRESETS: the window is killed at random moments while it is edited and saved.

Afterwards no file is damaged, each is one of the states that were saved, edits older than ten seconds are in the file
or among the unsaved changes, and the next window offers them. Also: signals that end programs, two windows on one
file, a folder that cannot be written, a full disk. PLIMSOLL_KILLS sets the number of kills (default 12; 100 is the full
campaign).
"""
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

DRIVER, PRESETS = sys.argv[1:3]
EXAMPLE = pathlib.Path(PRESETS) / "scenarios" / "gpt-neox-20b-a100.json"
BOUND = 10000  # milliseconds of edits that may be lost
PATIENCE = 60  # seconds a window may take to open, on machines that are shared


class Desk:
    """A folder with a plan, a home, and windows over them."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.home = self.folder / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        self.plan = self.folder / "plans" / "plan.json"
        self.plan.parent.mkdir(exist_ok=True)
        shutil.copy(EXAMPLE, self.plan)
        self.original = tokens_of(self.plan)
        self.windows = 0

    def open(self, mode="edit", first=1000, seed=0):
        self.windows += 1
        return Window(self, mode, self.folder / f"journal{self.windows}", first, seed)

    @property
    def unsaved_folder(self):
        return self.home / "data" / "plimsoll" / "unsaved"

    def unsaved(self):
        """The states among the unsaved changes; each file has to be whole."""
        files = self.unsaved_folder.glob("*.json") if self.unsaved_folder.is_dir() else []
        return [round(json.loads(f.read_text())["plan"]["recipe"]["tokens"] / 1e9) for f in files]


class Window:
    def __init__(self, desk, mode, journal, first, seed):
        self.desk, self.journal, self.first = desk, journal, first
        env = {**os.environ, "HOME": str(desk.home), "XDG_DATA_HOME": str(desk.home / "data"),
               "XDG_CONFIG_HOME": str(desk.home / "config"), "PLIMSOLL_PRESETS": PRESETS,
               "QT_QPA_PLATFORM": "offscreen"}
        words = [DRIVER, mode, desk.plan, journal] + (
            [str(first), str(seed)] if mode in ("edit", "session", "tabs") else [])
        self.process = subprocess.Popen(words, env=env, stderr=subprocess.PIPE, text=True)

    def lines(self):
        """(milliseconds, word, rest) of whole lines."""
        if not self.journal.exists():
            return []
        text = self.journal.read_text()
        return [(int(at), *(rest.split(" ", 1) + [""])[:2])
                for at, rest in (line.split(" ", 1) for line in text[:text.rfind("\n") + 1].splitlines())]

    def values(self, word):
        return [int(rest) for _, found, rest in self.lines() if found == word]

    def wait_for(self, word):
        until = time.monotonic() + PATIENCE
        while not any(found == word for _, found, _ in self.lines()):
            assert self.process.poll() is None, f"left by itself: {self.process.stderr.read()}"
            assert time.monotonic() < until, f"no '{word}' within {PATIENCE} s"
            time.sleep(0.02)

    def kill(self):
        self.process.kill()
        killed = time.time() * 1000
        self.process.wait()
        return killed

    def ends(self, by):
        self.process.send_signal(by)
        return self.process.wait(timeout=PATIENCE)


def tokens_of(path):
    tokens = json.loads(path.read_text())["recipe"]["tokens"] / 1e9
    return round(tokens)


def holds_a_saved_state(desk, *windows):
    """The state of the file, which is the last that was saved or one that was being saved when the end came."""
    found = tokens_of(desk.plan)
    allowed = {desk.original}
    for window in windows:
        saved, begun = window.values("saved"), window.values("saving")
        allowed |= set(begun[begun.index(saved[-1]):] if saved else begun)
    if all(w.values("saved") for w in windows):
        allowed.discard(desk.original)
    assert found in allowed, f"the file holds {found}, which is none of {sorted(allowed)}"
    return found


def nothing_old_is_lost(desk, window, killed):
    kept = max([tokens_of(desk.plan)] + desk.unsaved()) if window.values("edited") else 0
    due = [int(rest) for at, word, rest in window.lines() if word == "edited" and at <= killed - BOUND]
    assert not due or kept >= due[-1], f"{due[-1]} was edited {BOUND / 1000} s before the end; {kept} is what is left"
    # A kill may come between an edit and its line in the journal.
    assert kept <= max(window.values("edited") + [desk.original]) + 1, kept


def the_next_window_offers_it(desk):
    left = desk.unsaved()
    window = desk.open("recover")
    assert window.process.wait(timeout=PATIENCE) == 0, window.process.stderr.read()
    assert window.values("recovered") == left, f"{left} was left, {window.values('recovered')} recovered"
    assert desk.unsaved() == [], desk.unsaved()
    if left:
        assert tokens_of(desk.plan) == left[-1]
    return len(left)


def killed_at_a_random_moment(folder, seed):
    desk, chance = Desk(folder), random.Random(seed)
    window = desk.open(seed=seed)
    window.wait_for("edited")
    time.sleep(chance.uniform(12, 14) if seed % 6 == 0 else chance.uniform(0, 4))
    killed = window.kill()
    holds_a_saved_state(desk, window)
    nothing_old_is_lost(desk, window, killed)
    recovered = the_next_window_offers_it(desk)
    return len(window.values("saved")), recovered


def every_tab_is_kept(folder, seed):
    """Edits older than ten seconds of each of three tabs, and the next window has all of them again."""
    desk = Desk(folder)
    window = desk.open("tabs", seed=seed)
    window.wait_for("edited_2")
    time.sleep(random.Random(seed).uniform(11, 14))
    killed = window.kill()
    left = desk.unsaved()
    for tab in range(3):
        edited = [(at, int(rest)) for at, word, rest in window.lines() if word == f"edited_{tab}"]
        values, due = [value for _, value in edited], [value for at, value in edited if at <= killed - BOUND]
        # A kill may come between an edit and its line in the journal; each value is typed in one tab alone.
        kept = [value for value in left if value in values]
        assert due and kept and max(kept) >= due[-1], f"tab {tab}: {due[-1:]} was edited; {left} is what is left"
    assert tokens_of(desk.plan) == desk.original
    following = desk.open("recover_tabs")
    assert following.process.wait(timeout=PATIENCE) == 0, following.process.stderr.read()
    assert sorted(following.values("recovered")) == sorted(left), (following.values("recovered"), left)
    assert sorted(desk.unsaved()) == sorted(left), "what was recovered outlives the next end"


def asked_to_end(folder, by):
    desk = Desk(folder)
    window = desk.open(seed=int(by))
    window.wait_for("edited")
    time.sleep(0.5)
    code = window.ends(by)
    assert code == 128 + by, f"exit code {code} after {by.name}"
    last = window.values("edited")[-1]
    assert max([tokens_of(desk.plan)] + desk.unsaved()) == last, f"the last edit was {last}"
    the_next_window_offers_it(desk)


def ended_by_the_session(folder):
    desk = Desk(folder)
    window = desk.open("session", seed=2)
    assert window.process.wait(timeout=PATIENCE) == 0, window.process.stderr.read()
    assert not [rest for _, word, rest in window.lines() if word == "asked"], "nobody is there to answer"
    last = window.values("edited")[-1]
    assert max([tokens_of(desk.plan)] + desk.unsaved()) == last, f"the last edit was {last}"
    the_next_window_offers_it(desk)


def two_windows_on_one_file(folder):
    desk = Desk(folder)
    both = [desk.open(first=first, seed=first + 1) for first in (1000, 500000)]
    for window in both:
        window.wait_for("saved")
    time.sleep(2)
    for window in both:
        window.kill()
    holds_a_saved_state(desk, *both)
    assert len(desk.unsaved()) <= 2
    asked = [rest for window in both for _, word, rest in window.lines() if word == "asked"]
    assert any("changed by another program" in text for text in asked), asked


def wait_until_told(window):
    window.wait_for("asked")
    time.sleep(3)  # the window goes on, and so does the keeping of what is not saved
    assert window.process.poll() is None, window.process.stderr.read()
    told = [rest for _, word, rest in window.lines() if word == "asked"]
    assert all("could not be saved" in text for text in told), told
    assert not window.values("saved"), "it saved where nothing can be written"


def in_a_folder_that_cannot_be_written(folder):
    desk = Desk(folder)
    mount("--bind", desk.plan.parent, desk.plan.parent)
    mount("-o", "remount,ro,bind", desk.plan.parent)
    window = desk.open(seed=1)
    wait_until_told(window)
    killed = window.kill()
    assert tokens_of(desk.plan) == desk.original
    nothing_old_is_lost(desk, window, killed)
    assert desk.unsaved(), "nothing is kept"


def on_a_full_disk(folder):
    desk = Desk(folder)
    mount("-t", "tmpfs", "-o", "size=128k", "none", desk.plan.parent)
    shutil.copy(EXAMPLE, desk.plan)
    fill(desk.plan.parent)
    window = desk.open(seed=1)
    wait_until_told(window)
    window.kill()
    assert desk.plan.read_bytes() == EXAMPLE.read_bytes()
    assert desk.unsaved(), "nothing is kept"


def with_a_full_home(folder):
    desk = Desk(folder)
    (desk.home / "data").mkdir()
    mount("-t", "tmpfs", "-o", "size=64k", "none", desk.home / "data")
    fill(desk.home / "data")
    window = desk.open(seed=1)
    window.wait_for("saved")
    time.sleep(4)
    assert window.process.poll() is None, window.process.stderr.read()
    window.kill()
    holds_a_saved_state(desk, window)


def fill(folder):
    with open(folder / "filler", "wb", buffering=0) as filler:
        try:
            while filler.write(b"x" * 4096):
                pass
        except OSError:
            pass


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


NEEDING_MOUNTS = {f.__name__: f
                  for f in (in_a_folder_that_cannot_be_written, on_a_full_disk, with_a_full_home)}


def in_a_namespace(name, folder):
    """Runs one of them where its mounts are nobody else's."""
    pathlib.Path(folder).mkdir()
    words = ["unshare", "-m", sys.executable, __file__, DRIVER, PRESETS, name, folder]
    done = subprocess.run(words, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


def may_mount():
    return shutil.which("unshare") and subprocess.run(
        ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /tmp"], capture_output=True).returncode == 0


def main():
    if len(sys.argv) == 5:
        NEEDING_MOUNTS[sys.argv[3]](sys.argv[4])
        return 0
    # What is ignored here, as in the background of a shell, would be ignored by the windows as well, and rightly so.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    count = int(os.environ.get("PLIMSOLL_KILLS", "12"))
    failed = 0
    with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(4) as pool:
        tasks = {}
        for seed in range(count):
            tasks[pool.submit(killed_at_a_random_moment, f"{top}/kill{seed}", seed)] = f"kill {seed}"
        for by in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            tasks[pool.submit(asked_to_end, f"{top}/{by.name}", by)] = f"asked to end by {by.name}"
        tasks[pool.submit(ended_by_the_session, f"{top}/session")] = "ended by the session"
        for seed in range(max(1, count // 12)):
            tasks[pool.submit(every_tab_is_kept, f"{top}/tabs{seed}", seed)] = f"three tabs, kill {seed}"
        tasks[pool.submit(two_windows_on_one_file, f"{top}/two")] = "two windows on one file"
        if may_mount():
            for name in NEEDING_MOUNTS:
                tasks[pool.submit(in_a_namespace, name, f"{top}/{name}")] = name.replace("_", " ")
        else:
            print("skipped: " + ", ".join(NEEDING_MOUNTS).replace("_", " ") + ": nothing may be mounted here")
        saves = recovered = 0
        for task in concurrent.futures.as_completed(tasks):
            try:
                counts = task.result() or (0, 0)
                saves, recovered = saves + counts[0], recovered + counts[1]
            except Exception as error:  # noqa: BLE001: every failure is told, and the others still run
                failed += 1
                print(f"FAILED {tasks[task]}: {type(error).__name__}: {error}")
    print(f"{count} kills with {saves} saves and {recovered} recoveries, {len(tasks) - count} other ends; "
          f"{failed} failed")
    if count >= 12 and not (saves and recovered):
        failed += 1
        print("FAILED: no kill met unsaved changes, or none a save; the campaign shows nothing")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
