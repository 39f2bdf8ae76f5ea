#!/usr/bin/env bash
# Builds what is given to others into dist/: `make dist`, or `tools/dist.sh FORM…` for some of them.
#
#   gnu      tarball for x86-64 with glibc 2.17 or later       arm64  the same for 64-bit ARM
#   musl     tarball for x86-64, static                        arm64-musl  the same for 64-bit ARM: only if it is named; never tried yet
#   deb, rpm the package and `tenbin-names`                    wheel  for pip, from the glibc builds
#   image    OCI image of the static build                     formula  text of a Homebrew formula
#   sbom     what is built in, CycloneDX
#
# Packages, wheels and images are made for x86-64, and for 64-bit ARM if it is built.
#
# A form has only binaries of these sources: of another version they are left out, and the files that they were in are removed from dist/.
# It needs cargo by rustup, gcc, make, node, npm, python3 (3.11 or later) with pip, readelf, xz, and for their packages dpkg-deb and rpmbuild
# (Debian: apt-get install gcc make xz-utils rpm).
# The compiler and linker for other machines come from PyPI (ziglang, cargo-zigbuild) into target/tools/dist, the standard libraries from rustup.
# So that two builds of one commit can be the same bytes, every time stamp is SOURCE_DATE_EPOCH, by default the time of the commit.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD

tools=$here/target/tools/dist
work=$here/target/dist-work
out=${TENBIN_DIST:-$here/dist}
# What is made, before it is in dist/, and the list of what is there of earlier runs: other files in dist/ are left alone.
made=$work/made
written=$work/written-$(printf %s "$out" | sha256sum | cut -c1-16)
ziglang=0.15.2
zigbuild=0.24.1

# The oldest glibc that the builds run with; the largest archive, in bytes, and the largest wheel and image: pip and Docker read no better
# compression than deflate everywhere.
glibc=2.17
largest=12582912
largest_deflated=15728640

forms=(gnu musl arm64 arm64-musl deb rpm wheel image formula sbom)
# Those that are made if none is named.
usual=(gnu musl arm64 deb rpm wheel image formula sbom)
gnu=x86_64-unknown-linux-gnu
musl=x86_64-unknown-linux-musl
arm64=aarch64-unknown-linux-gnu
arm64_musl=aarch64-unknown-linux-musl

main() {
    local form
    for form in "$@"; do
        [[ " ${forms[*]} " == *" $form "* ]] || fail "there is no form $form; there are: ${forms[*]}"
    done
    [ $# -gt 0 ] || set -- "${usual[@]}"
    needed cargo rustup gcc make node npm python3 readelf xz
    [[ " $* " != *" deb "* ]] || needed dpkg-deb
    [[ " $* " != *" rpm "* ]] || needed rpmbuild
    python3 -c 'import tomllib' || fail "python3 is older than 3.11"
    version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
    export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC CARGO_TARGET_DIR=$here/target
    # It would take the place of the flags below.
    unset CARGO_ENCODED_RUSTFLAGS
    umask 022
    rm -rf "$made"
    mkdir -p "$work" "$out" "$made"
    bash tools/dist/own.sh look "$written" "$out"
    install_tools
    # This one can be run here: it prints the manual pages, the completions and the names for all.
    build "$gnu"
    built=$("$(binary "$gnu")" --version)
    remove_others
    licences
    # In the order of the list: what packs a binary comes after what builds it.
    for form in "${forms[@]}"; do
        [[ " $* " != *" $form "* ]] || step "$form" "form_${form//-/_}"
    done
    step "check" check
    bash tools/dist/own.sh take "$written" "$out" "$made"
    ls -l "$out"
}

form_gnu() { tarball "$gnu"; }
# A line each: behind `&&` a command that fails within a function would not end it.
form_musl() {
    build "$musl"
    tarball "$musl"
}

form_arm64() {
    build "$arm64"
    tarball "$arm64"
}

form_arm64_musl() {
    build "$arm64_musl"
    tarball "$arm64_musl"
}

form_deb() {
    local target
    for target in "$gnu" "$arm64"; do
        is_current "$target" || continue
        tree "$target"
        bash tools/dist/deb.sh "$work/tree-$target" "$(debian_arch "$target")" "$version" "$made"
    done
    bash tools/dist/deb.sh --names "$(names)" "$version" "$made"
}

form_rpm() {
    local target
    for target in "$gnu" "$arm64"; do
        is_current "$target" || continue
        tree "$target"
        bash tools/dist/rpm.sh "$work/tree-$target" "${target%%-*}" "$version" "$made"
    done
    bash tools/dist/rpm.sh --names "$(names)" "$version" "$made"
}

form_wheel() {
    local target
    for target in "$gnu" "$arm64"; do
        is_current "$target" || continue
        tree "$target"
        python3 tools/dist/wheel.py "$work/tree-$target" "${target%%-*}" "$version" "$made"
    done
}

form_image() {
    local target
    build "$musl"
    for target in "$musl" "$arm64_musl"; do
        is_current "$target" || continue
        tree "$target"
        python3 tools/dist/image.py "$work/tree-$target" "$(debian_arch "$target")" "$version" "$made"
    done
}

form_formula() {
    python3 tools/dist/formula.py "$version" "$made" "$out"
}

form_sbom() {
    python3 tools/dist/contents.py sbom "$version" "$made/tenbin-$version.cdx.json"
}

# Compiles for one target, in a folder of its own; what is there already is not compiled again.
build() {
    local as=$1
    [[ $1 != *-gnu ]] || as=$1.$glibc
    rustup target list --installed | grep -qx "$1" || rustup target add "$1"
    # The allocator takes the size of a page from the compiler's machine; some systems on ARM have 64 KiB. And LuaJIT's makefile strips its own program,
    # which is not used, by the strip of this machine, which does not read files of another.
    local other=()
    [[ $1 != aarch64-* ]] || other=(JEMALLOC_SYS_WITH_LG_PAGE=16 TARGET_STRIP=true)
    # No path of this machine is in the file.
    local cargo=${CARGO_HOME:-$HOME/.cargo} rust
    rust=$(rustc --print sysroot)
    local map="--remap-path-prefix=$here=/tenbin --remap-path-prefix=$cargo=/cargo --remap-path-prefix=$rust=/rust"
    local c_map="-ffile-prefix-map=$here=/tenbin -ffile-prefix-map=$cargo=/cargo"
    [[ $1 = *-musl ]] || exports "$as"
    # LuaJIT's makefile links a program of its own, for which zig wants to know where the functions that unwind the stack are (TARGET_LIBS).
    step "build for $as" env PATH="$tools/bin:$PATH" RUSTFLAGS="$map" CFLAGS="$c_map" "${other[@]}" TARGET_LIBS=-lunwind TENBIN_EXPORTS="$work/exports-$as.so" TENBIN_REQUIRE_NODE=1 \
        cargo zigbuild --quiet --locked --profile dist -p tenbin-cli --target "$as"
}

# The library by which the binary exports its functions (tools/dist/exports.py).
exports() {
    python3 tools/dist/exports.py "$work/exports.c"
    "$tools/bin/zig" cc -target "$(zig_target "$1")" -shared -nostdlib -fPIC -Wl,-z,undefs "$work/exports.c" -o "$work/exports-$1.so"
}

# As zig names it: x86_64-linux-gnu.2.17.
zig_target() { echo "${1/-unknown-/-}"; }

binary() { echo "$here/target/$1/dist/tenbin"; }

# Whether there is a binary for this target, of the same version and commit as the one that was just built.
is_current() {
    [ -x "$(binary "$1")" ] || return 1
    grep -qaF "${built#tenbin }" "$(binary "$1")" && return
    echo "   the binary for $1 is not of $built: left out"
    return 1
}

# What an earlier run left in dist/ of other sources.
remove_others() {
    if [ "$(cat "$written.of" 2>/dev/null)" != "$built" ] && [ -e "$written" ]; then
        echo "== remove from $out what is of other sources"
        bash tools/dist/own.sh remove "$written" "$out"
    fi
    echo "$built" >"$written.of"
}

debian_arch() { case $1 in aarch64-*) echo arm64 ;; *) echo amd64 ;; esac }

names() { "$(binary "$gnu")" names | tr '\n' ' '; }

# The notices of everything that is built in, once for all forms.
licences() {
    # What they are made from: the locked packages, and the compiler and the linker, whose own notices are among them.
    local of
    of="$(cat Cargo.lock web/package-lock.json tools/dist/contents.py | sha256sum) ziglang $ziglang $(rustc --version) $version"
    [ -e "$work/THIRD-PARTY" ] && [ "$(cat "$work/THIRD-PARTY.of" 2>/dev/null)" = "$of" ] && return
    rm -f "$work/THIRD-PARTY.of"
    python3 tools/dist/contents.py licences "$version" "$work/THIRD-PARTY"
    echo "$of" >"$work/THIRD-PARTY.of"
}

tree() {
    bash tools/dist/tree.sh "$(binary "$1")" "$(binary "$gnu")" "$work/THIRD-PARTY" "$work/tree-$1"
}

tarball() {
    local name=tenbin-$version-$1
    tree "$1"
    rm -rf "${work:?}/$name"
    cp -a "$work/tree-$1" "$work/$name"
    # Files only: a directory in it would give its mode and its time to the one that is there, such as ~/.local/bin.
    (cd "$work" && find "$name" ! -type d | sort) >"$work/$name.files"
    tar --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" --no-recursion -T "$work/$name.files" -c | xz -T1 -6 >"$made/$name.tar.xz"
    rm -rf "${work:?}/$name"
}

# What must hold of everything that is made.
check() {
    local target file
    for target in "$gnu" "$arm64"; do
        ! is_current "$target" || bash tools/dist/elf.sh "$(binary "$target")" "$glibc"
    done
    for target in "$musl" "$arm64_musl"; do
        ! is_current "$target" || bash tools/dist/elf.sh "$(binary "$target")" static
    done
    for file in "$made"/*; do
        local most=$largest
        case $file in *.whl | *-image-*.tar) most=$largest_deflated ;; esac
        [ "$(stat -c %s "$file")" -le "$most" ] || fail "$file is larger than $most bytes"
    done
    for target in "$gnu" "$musl"; do
        ! is_current "$target" || scripts "$target"
    done
    "$(binary "$gnu")" --version
}

# That a script reaches sysbench's functions and those of the C library: what is linked statically has a table of them, else the linker exports them.
scripts() {
    cat >"$work/reaches.lua" <<'END'
local ffi = require("ffi")
ffi.cdef("uint32_t sb_rand_uniform(uint32_t, uint32_t); int usleep(uint32_t); size_t strlen(const char *);")
function event()
    assert(ffi.C.sb_rand_uniform(7, 7) == 7 and ffi.C.usleep(1) == 0 and ffi.C.strlen("abc") == 3)
end
END
    "$(binary "$1")" sysbench "$work/reaches.lua" --events=1 run >"$work/reaches" 2>&1 ||
        fail "a script does not reach functions of C in the binary for $1: $(cat "$work/reaches")"
}

install_tools() {
    local wanted="ziglang==$ziglang cargo-zigbuild==$zigbuild"
    [ "$(cat "$tools/installed" 2>/dev/null)" != "$wanted" ] || return 0
    echo "== install $wanted into target/tools/dist"
    rm -rf "$tools"
    # shellcheck disable=SC2086
    python3 -m pip install --quiet --disable-pip-version-check --no-deps --root-user-action=ignore --target "$tools" $wanted
    ln -s ../ziglang/zig "$tools/bin/zig"
    echo "$wanted" >"$tools/installed"
}

needed() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || fail "$tool is not on the PATH; the head of tools/dist.sh says what is needed"
    done
}

# Runs a command, and ends the script if it fails. Not for a condition, where bash goes on after what fails.
step() {
    echo "== $1"
    shift
    local from=$SECONDS
    "$@"
    echo "   $((SECONDS - from)) s"
}

fail() {
    echo "tools/dist.sh: $*" >&2
    exit 1
}

main "$@"
