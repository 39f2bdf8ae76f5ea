#!/usr/bin/env bash
# Keeps what tools/dist.sh has put into a folder apart from what others have there. Only what is on a list, and is still as it was written, is replaced,
# removed and summed. The list has lines of sha256sum; names with a path on it are skipped.
#
#   own.sh look LIST OUT         fails if SHA256SUMS in OUT is of others
#   own.sh take LIST OUT FROM    moves the files of FROM to OUT, and writes their sums to SHA256SUMS there and to LIST
#   own.sh remove LIST OUT       removes from OUT what is on LIST, and LIST
set -euo pipefail
export LC_ALL=C
shopt -s nullglob

list=$2
out=$3

look() {
    is_free SHA256SUMS
}

take() {
    local file
    look
    for file in "$1"/*; do
        is_free "${file##*/}"
    done
    # Of earlier runs, and of this one.
    own >"$list.new"
    for file in "$1"/*; do
        grep -v "^[0-9a-f]*  ${file##*/}\$" "$list.new" >"$list.others" || true
        mv -f "$list.others" "$list.new"
        (cd "$1" && sha256sum "${file##*/}") >>"$list.new"
        mv -f "$file" "$out/"
    done
    sort -k2 "$list.new" >"$out/SHA256SUMS"
    (cd "$out" && cat SHA256SUMS && sha256sum SHA256SUMS) >"$list.new"
    mv -f "$list.new" "$list"
}

remove() {
    own | sed 's/^[0-9a-f]*  //' | while IFS= read -r name; do
        rm -f "$out/$name"
    done
    ! is_own SHA256SUMS || rm -f "$out/SHA256SUMS"
    rm -f "$list"
}

# The lines of the list whose files are there as they were written, without that of SHA256SUMS.
own() {
    local line name
    [ -e "$list" ] || return 0
    while IFS= read -r line; do
        name=${line#*  }
        if [ "$name" != SHA256SUMS ] && is_own "$name"; then
            printf '%s\n' "$line"
        fi
    done <"$list"
}

# Whether a file was put there by us, and is as it was.
is_own() {
    [[ $1 != */* && $1 != .* && -f $out/$1 && ! -L $out/$1 && -e $list ]] || return 1
    grep -qxF "$(cd "$out" && sha256sum -- "$1")" "$list"
}

# Fails if a name is that of a file of others.
is_free() {
    if [ -e "$out/$1" ] && ! is_own "$1"; then
        echo "tools/dist.sh: $out/$1 was not written by it, or was changed since: move it away" >&2
        exit 1
    fi
}

"$1" "${@:4}"
