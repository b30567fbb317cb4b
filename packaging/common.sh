# shellcheck shell=bash
# Sourced by start and test: packages, configure, build. Works from the root of
# the source tree; everything that is not worth reading goes to build/setup.log.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
log=build/setup.log
mkdir -p build && : >"$log"
export LC_ALL=C.UTF-8

fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

# The end of the log, then out.
fail_with_log() {
    printf '\n%s\n' "--- the end of $log" >&2
    tail -n 40 "$log" >&2
    fail "---" "$1 The full log is $log."
}

# note WHAT COMMAND...: runs it into the log.
note() {
    printf '\n== %s: %s\n' "$1" "${*:2}" >>"$log"
    "${@:2}" >>"$log" 2>&1 </dev/null
}

# Packages of the groups named, one a line; missing_packages: those not installed.
packages() {
    local group
    for group in "$@"; do awk -v g="$group" '$1 == g { print $2 }' packaging/packages.txt; done
}
missing_packages() {
    local -a wanted
    mapfile -t wanted < <(packages "$@")
    comm -23 <(printf '%s\n' "${wanted[@]}" | sort -u) \
        <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null \
            | sed -n 's/^installed //p' | sort -u)
}

apt_install() { $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; }

# A fresh or old machine may have no package lists, or lists that no longer match.
apt_install_fresh() {
    if compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null && apt_install "$@"; then return; fi
    $sudo apt-get update && apt_install "$@"
}

# install_packages GROUP...: installs what is missing, or says how to and stops.
install_packages() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "This system has no apt. Plimsoll needs what Debian calls:"
        packages "$@" | paste -sd ' ' | fold -s -w 76 | sed 's/^/  /'
        echo "Going on; the next step says what it cannot find."
        return
    fi
    local -a missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || { echo "Packages: all there"; return; }
    local line="apt-get install --no-install-recommends ${missing[*]}"
    sudo=
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -t 0 ] && ask_for_sudo "$line"; }; }; then
            sudo=sudo
        else
            fail "Some packages are missing, and installing them needs root. Please run" "" \
                 "  sudo $line" "" "(after 'sudo apt-get update' on a new machine) and start again."
        fi
    fi
    local began=$SECONDS
    printf 'Packages: installing %d ...' ${#missing[@]}
    note "Packages" apt_install_fresh "${missing[@]}" || fail_with_log "The packages could not be installed."
    echo " $((SECONDS - began)) s"
}
ask_for_sudo() {
    printf '%s\n' "Some packages are missing:" "  sudo $1"
    sudo -v
}

configure() {
    note "Configure $1" cmake --preset "$@" || fail_with_log "The build could not be configured."
}

# Ninja's "[12/80] ..." lines as a count with the time that is left, where there is a terminal to show it on.
count() {
    [ -t 1 ] || { cat >/dev/null; return; }
    local line left began=$SECONDS
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        local done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]} time=
        left=$(((SECONDS - began) * (all - done) / done))
        if [ $left -ge 60 ]; then
            time=", about $((left / 60)) min $((left % 60)) s left"
        elif [ $left -gt 0 ]; then
            time=", about $left s left"
        fi
        printf '\rBuilding: %d of %d%-30s' "$done" "$all" "$time"
    done
}
# build PRESET [TARGET...]
build() {
    local began=$SECONDS
    local -a targets=()
    if [ $# -gt 1 ]; then targets=(--target "${@:2}"); fi
    printf '\n== Build %s\n' "$*" >>"$log"
    cmake --build --preset "$1" "${targets[@]}" 2>&1 </dev/null | tee -a "$log" | count
    [ "${PIPESTATUS[0]}" -eq 0 ] || fail_with_log "The build failed."
    if [ -t 1 ]; then printf '\r%60s\r' ''; fi
    echo "Build $1: $((SECONDS - began)) s"
}
nvcc_is_here() {
    command -v nvcc >/dev/null || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ]
}

# Qt wants a private directory for its sockets; servers and containers have none.
private_runtime_dir() {
    [ -z "${XDG_RUNTIME_DIR:-}" ] || return 0
    XDG_RUNTIME_DIR=$(mktemp -d) && export XDG_RUNTIME_DIR
    chmod 700 "$XDG_RUNTIME_DIR"
    trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
}
