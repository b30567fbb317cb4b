#!/usr/bin/env bash
# The engine on other processors:  tests/cross/run.sh [--quick] [aarch64] [ppc64le]
#
# Compiles the engine with Debian's compilers for 64-bit Arm and little-endian POWER and runs its tests under qemu's
# emulation of single programs: kernels, codecs, log and files inside of it; golden files, references, arguments and
# layouts of one and two ranks by starting it, under this computer's mpirun. On Arm once without SVE and once each with
# vectors of 256 and 512 bits. Libraries of the other processor are unpacked in build/cross; nothing of them is
# installed. --quick compiles what is old and runs the kernels alone. Ends with 77 and the reason where it cannot be
# tried.
set -u
. "$(dirname "$0")/../../packaging/common.sh"
skip() { echo "skipped: $1"; exit 77; }
quick=no architectures=()
for argument in "$@"; do
    case $argument in
    --quick) quick=yes ;;
    aarch64 | ppc64le) architectures+=("$argument") ;;
    *) echo "usage: tests/cross/run.sh [--quick] [aarch64] [ppc64le]" >&2; exit 2 ;;
    esac
done
[ ${#architectures[@]} -gt 0 ] || architectures=(aarch64 ppc64le)
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || skip "this system has no apt"
mapfile -t missing < <(missing_packages cross)
if [ ${#missing[@]} -gt 0 ]; then
    [ "$(id -u)" = 0 ] || skip "not installed: ${missing[*]}"
    (install_packages cross) || skip "${missing[*]} could not be installed"
fi

# ---- Libraries of the other processor
# What the engine and its tests are linked with. Of Qt's own package the headers alone, without what it depends on.
wanted=(libstdc++-12-dev libopenmpi-dev libopenblas-serial-dev libqt6test6 libyaml-dev nlohmann-json3-dev libcli11-dev
    libeigen3-dev libtomlplusplus-dev)
alone=(qt6-base-dev qt6-base-dev-tools)

# unpack DEBIAN_ARCHITECTURE TRIPLET FOLDER: with an apt of its own, to which nothing is installed yet.
unpack() {
    local apt=$3.apt root=$3.unpacking libraries=usr/lib/$2 package
    rm -rf "$apt" "$root"
    mkdir -p "$apt"/state/lists/partial "$apt"/archives/partial "$root"/usr/{lib,bin,sbin}
    : >"$apt/status"
    printf '%s\n' "Dir::State \"$apt/state\";" "Dir::State::status \"$apt/status\";" "Dir::Cache \"$apt\";" \
        "APT::Architecture \"$1\";" "APT::Architectures \"$1\";" 'Acquire::Languages "none";' \
        "APT::Sandbox::User \"$(id -un)\";" >"$apt/apt.conf"
    export APT_CONFIG=$apt/apt.conf
    apt-get update || return
    apt-get install --download-only -y --no-install-recommends "${wanted[@]}" || return
    (cd "$apt/archives" && apt-get download "${alone[@]}") || return
    unset APT_CONFIG
    ln -s usr/lib usr/bin usr/sbin "$root"
    mkdir "$root/usr/lib64" && ln -s usr/lib64 "$root"
    for package in "$apt"/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink --exclude='./usr/share/doc*' \
            --exclude='./usr/share/man*' --exclude='./usr/share/locale*' -f - || return
    done
    # The loader's link begins with /, which would be this computer's; then what installing would have made.
    if [ "$1" = ppc64el ]; then ln -sf "../lib/$2/ld64.so.2" "$root/usr/lib64"; fi
    ln -s openblas-serial/libopenblas.so openblas-serial/libopenblas.so.0 "$root/$libraries"
    mkdir -p "$root/$libraries/qt6/mkspecs/linux-g++"
    rm -rf "$apt" && mv "$root" "$3"
}

# ---- Tests
passed=0 failed=0
# try SENTENCE COMMAND...
try() {
    local began=$SECONDS out=$folder/test.log
    if timeout 1800 "${@:2}" >"$out" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "passed   $machine$detail: $1 ($((SECONDS - began)) s)"
    else
        failed=$((failed + 1))
        echo "FAILED   $machine$detail: $1"
        grep -E -A 3 '^(FAIL!|QFATAL|Segmentation)' "$out" | head -n 30 | cut -c1-300 | sed 's/^/    /'
        tail -n 5 "$out" | sed 's/^/    /'
    fi
}
# inside CLASS: the tests themselves are emulated, but for those that start processes, or threads in a child process,
# which ends qemu.
inside() {
    local tests=$folder/bin/tests_engine
    local -a functions
    mapfile -t functions < <("$qemu" "$tests" "tst_engine_$1" -functions 2>/dev/null | tr -d '()' |
        grep -vE '^(a_reader_that_stopped_reading|training_goes_on_under_every_codec)')
    try "tst_engine_$1" "$qemu" "$tests" "tst_engine_$1" "${functions[@]}"
}
# around CLASS [FUNCTION...]: this computer's tests, with the emulated engine in the place of the one they start.
around() {
    local user=--map-root-user
    [ "$(id -u)" != 0 ] || user=
    try "the engine in tst_engine_$1 ${*:2}" unshare $user --mount sh -c \
        'mount --bind "$1" "$2" && shift 2 && exec "$@"' sh "$folder/emulated" "$here/bin/plimsoll-engine" \
        "$here/bin/tests_engine" "tst_engine_$1" "${@:2}"
}

# Losses and norms of gradients in fp64, of layouts that share a run's numbers in every way two ranks can.
two_ranks() {
    printf '%s\n' "--micro-batch 4" "--dp 2 --micro-batch 2 --overlap" "--dp 2 --micro-batch 2 --zero 3" \
        "--tp 2 --sp --micro-batch 4" "--pp 2 --micro-batch 2 --accumulate 2" >"$folder/runs.txt"
    mpirun --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n 2 "$folder/emulated" --runs \
        "$folder/runs.txt" --precision fp64 --threads 1 --model llama --layers 2 --width 32 --heads 4 --kv-heads 2 \
        --sequence 24 --vocabulary 96 --steps 4 >"$folder/runs.jsonl" || return
    python3 - "$folder/runs.jsonl" <<'END'
import json, sys
runs = []
for line in map(json.loads, open(sys.argv[1])):
    if line["type"] == "layout":
        runs.append([])
    elif line["type"] == "step":
        runs[-1] += [line["loss"], line["grad_norm"]]
assert len(runs) == 5 and all(len(run) == 8 for run in runs), runs
apart = max(abs(x / one - 1) for run in runs[1:] for x, one in zip(run, runs[0]))
print(f"apart by {apart:.1e}")
assert apart < 1e-12, runs
END
}
export -f two_ranks

if [ $quick = no ]; then
    if ! grep -q '^build tests_engine:' build/release/build.ninja 2>/dev/null; then
        configure release -DPLIMSOLL_TESTS=ON -DPLIMSOLL_CUDA=OFF -DPLIMSOLL_HIP=OFF
    fi
    build release tests_engine
    here=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' build/release/CMakeCache.txt)
fi
for machine in "${architectures[@]}"; do
    case $machine in
    aarch64) debian=arm64 triplet=aarch64-linux-gnu ;;
    ppc64le) debian=ppc64el triplet=powerpc64le-linux-gnu ;;
    esac
    mkdir -p "build/cross/$machine"
    export folder
    folder=$(realpath "build/cross/$machine") root=$(realpath -m build/cross/$debian) qemu=qemu-$machine
    if [ ! -d "$root" ]; then
        echo "Unpacking libraries for $machine"
        (unpack $debian $triplet "$root") >"$root.log" 2>&1 ||
            { tail -n 5 "$root.log"; skip "no packages for $debian"; }
    fi
    note "Configure $machine" cmake -S . -B "$folder" -G Ninja --toolchain "$PWD/tests/cross/toolchain.cmake" \
        -DCROSS_TRIPLET=$triplet -DCROSS_ROOT="$root" -DCMAKE_BUILD_TYPE=Release -DPLIMSOLL_GUI=OFF \
        -DPLIMSOLL_CUDA=OFF -DPLIMSOLL_HIP=OFF || fail_with_log "$machine could not be configured."
    began=$SECONDS
    note "Build $machine" cmake --build "$folder" --target tests_engine || fail_with_log "$machine could not be built."
    echo "Built for $machine ($((SECONDS - began)) s)"

    # Programs find their libraries by the first. mpirun is this computer's; its ranks cannot share locks with it.
    export QEMU_LD_PREFIX=$root
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PMIX_MCA_gds=hash OMPI_MCA_btl=self,tcp
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$qemu" "$folder/bin/plimsoll-engine" >"$folder/emulated"
    chmod +x "$folder/emulated"
    vectors=(none)
    if [ "$machine" = aarch64 ]; then vectors=(none 256 512); fi
    for bits in "${vectors[@]}"; do
        case $machine-$bits in
        aarch64-none) export QEMU_CPU=cortex-a72 detail= ;;
        aarch64-256) export QEMU_CPU=max,sve-default-vector-length=32 detail=" with SVE of 256 bits" ;;
        aarch64-512) export QEMU_CPU=a64fx detail=" with SVE of 512 bits" ;;  # Fugaku's
        ppc64le-*) export QEMU_CPU=power9 detail= ;;                         # Summit's
        esac
        if [ -n "$detail" ]; then
            try "the log names the vectors" sh -c '"$1" --layers 1 --width 32 --heads 4 --sequence 32 --steps 1 |
                grep -F "$2"' sh "$folder/emulated" "\"vectors\":\"${detail# with }\""
        fi
        inside kernels
        [ $quick = no ] || continue
        for name in golden reference; do around $name; done
    done
    [ $quick = no ] || continue
    for name in codecs coded log tensor_file hardware check; do inside $name; done
    around arguments
    try "two ranks train what one does" bash -c two_ranks
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
