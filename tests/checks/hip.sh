#!/usr/bin/env bash
# The device kernels compile as HIP for MI200 and MI300:  tests/checks/hip.sh BUILD_FOLDER
#
# Where hipcc is installed (Debian: hipcc, libamdhip64-dev). Without ROCm's libraries they are compiled against headers
# of the names they call (tests/engine/rocm) and not linked; with them the build has made backend_hip.so already.
set -eu
if ! grep -qE '^build (.*/)?(check_hip|backend_hip):' "$1/build.ninja"; then
    echo "no hipcc"
    exit 77
fi
if grep -qE '^build (.*/)?check_hip:' "$1/build.ninja"; then exec cmake --build "$1" --target check_hip; fi
[ -s "$1/bin/backend_hip.so" ]
