#!/usr/bin/env bash
# accessibility.sh PLIMSOLL: the planner as a screen reader meets it, on an X server with a session bus, read from
# outside through AT-SPI. What has to hold is in accessibility.py.
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v dbus-run-session >/dev/null || { echo "dbus-run-session is not installed"; exit 77; }
[ -e /usr/share/dbus-1/services/org.a11y.Bus.service ] || { echo "at-spi2-core is not installed"; exit 77; }
python=
for each in python3 /usr/bin/python3; do   # another Python may stand in front of the system's
    "$each" -c "import gi; gi.require_version('Atspi', '2.0')" 2>/dev/null && { python=$each; break; }
done
[ -n "$python" ] || { echo "gir1.2-atspi-2.0 or python3-gi is not installed"; exit 77; }

home=$(mktemp -d)   # no settings of the person who runs the tests
trap 'rm -rf "$home"' EXIT
env -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM -u AT_SPI_BUS_ADDRESS -u DBUS_SESSION_BUS_ADDRESS -u NO_AT_BRIDGE \
    HOME="$home" XDG_CONFIG_HOME="$home" XDG_DATA_HOME="$home" XDG_STATE_HOME="$home" XDG_CACHE_HOME="$home" \
    XDG_DATA_DIRS=/usr/local/share:/usr/share \
    tests/checks/on_x.sh 1400x900 timeout 180 dbus-run-session -- "$python" tests/checks/accessibility.py "$1" "$home"
