#!/usr/bin/env bash
# packages.sh BUILD: the packages of a finished build hold what a desktop looks for, and each program is in its own.
set -eu
build=$(realpath "$1")
for tool in dpkg-deb dpkg-shlibdeps file; do
    command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! (cd "$work" && cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work" >"$work/log" 2>&1); then
    cat "$work/log"
    exit 1
fi

# contents PACKAGE: the paths of the files in it.
contents() { dpkg-deb --contents "$work/$1"_[0-9]*.deb | sed 's/.* \.\//\//'; }
field() { dpkg-deb --field "$work/$1"_[0-9]*.deb "$2"; }
has() { grep -qxF "$2" "$work/$1.files" || { echo "$1 lacks $2"; exit 1; }; }

for package in plimsoll plimsoll-engine; do
    contents $package >"$work/$package.files"
    has $package /usr/bin/$package
    has $package /usr/share/doc/$package/copyright
    field $package Depends | grep -q libc6 || { echo "$package does not name the libraries it needs"; exit 1; }
    [ -n "$(field $package Description)" ]
done
for path in applications/plimsoll.desktop metainfo/plimsoll.metainfo.xml mime/packages/plimsoll.xml \
    icons/hicolor/scalable/apps/plimsoll.svg bash-completion/completions/plimsoll \
    plimsoll/presets/machines/summit.json; do
    has plimsoll /usr/share/$path
done
if field plimsoll Depends | grep -i mpi || field plimsoll-engine Depends | grep -i qt; then
    echo "a package needs what only the other one uses"
    exit 1
fi
if grep -x /usr/bin/plimsoll-engine "$work/plimsoll.files"; then
    echo "the engine is in the planner's package"
    exit 1
fi
