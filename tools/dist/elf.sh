#!/usr/bin/env bash
# Checks a binary before it is given away: tools/dist/elf.sh BINARY 2.17|static
# The highest glibc that it needs, or that it needs none; no symbols for debugging; the functions that scripts reach; no path of this machine.
set -euo pipefail
binary=$1 wanted=$2
fail() {
    echo "tools/dist/elf.sh: $binary: $*" >&2
    exit 1
}

if [ "$wanted" = static ]; then
    libraries=$(readelf -d "$binary" 2>/dev/null | grep NEEDED || true)
    [ -z "$libraries" ] || fail "it needs shared libraries"
    echo "$binary: static"
else
    highest=$(readelf -V "$binary" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)
    [ "$(printf '%s\n' "GLIBC_$wanted" "$highest" | sort -V | tail -1)" = "GLIBC_$wanted" ] || fail "it needs $highest"
    exported=$(readelf --dyn-syms --wide "$binary" | awk '$7 != "UND" { print $8 }')
    for name in sb_rand_uniform sb_counter_inc lua_pushnumber luaL_register; do
        grep -qx "$name" <<<"$exported" || fail "scripts and their modules do not reach $name"
    done
    [ "$(wc -l <<<"$exported")" -lt 1000 ] || fail "it exports $(wc -l <<<"$exported") functions, and not only those for scripts"
    unknown=$(readelf -d "$binary" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vxE 'lib(c|m|dl|rt|pthread|util)\.so\.[0-9]|ld-linux-.*' || true)
    [ -z "$unknown" ] || fail "it needs $unknown"
    echo "$binary: $highest"
fi
symbols=$(readelf -S --wide "$binary" | grep -E ' \.(symtab|debug_info) ' || true)
[ -z "$symbols" ] || fail "it is not stripped"
here=$(cd "$(dirname "$0")/../.." && pwd)
for path in "$here/" "${CARGO_HOME:-$HOME/.cargo}/" "${RUSTUP_HOME:-$HOME/.rustup}/"; do
    ! grep -qaF "$path" "$binary" || fail "it contains the path $path of the machine it was built on"
done
