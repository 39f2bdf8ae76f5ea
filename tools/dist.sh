#!/usr/bin/env bash
# Builds what is given to others into dist/: `make dist`, or `tools/dist.sh FORM…` for some of them.
#
#   gnu      tarball for x86-64 with glibc 2.17 or later       arm64  the same for 64-bit ARM
#   musl     tarball for x86-64, static                        deb, rpm  the package and `tenbin-names` (x86-64, and arm64 if it is built)
#   wheel    for pip, from the glibc builds                     image  OCI image of the static build
#   formula  text of a Homebrew formula                        sbom  what is built in, CycloneDX
#
# It needs cargo by rustup, node, npm, python3 with pip, readelf, xz, dpkg-deb and rpmbuild (Debian: apt-get install binutils xz-utils dpkg rpm).
# The compiler and linker for other machines come from PyPI (ziglang, cargo-zigbuild) into target/tools/dist, the standard libraries from rustup.
# So that two builds of one commit can be the same bytes, every time stamp is SOURCE_DATE_EPOCH, by default the time of the commit.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD

tools=$here/target/tools/dist
work=$here/target/dist-work
out=${TENBIN_DIST:-$here/dist}
ziglang=0.15.2
zigbuild=0.24.1

# The oldest glibc that the builds run with, and the largest archive, in bytes.
glibc=2.17
largest=12582912

forms=(gnu musl arm64 deb rpm wheel image formula sbom)
gnu=x86_64-unknown-linux-gnu
musl=x86_64-unknown-linux-musl
arm64=aarch64-unknown-linux-gnu

main() {
    local form
    for form in "$@"; do
        [[ " ${forms[*]} " == *" $form "* ]] || fail "there is no form $form; there are: ${forms[*]}"
    done
    [ $# -gt 0 ] || set -- "${forms[@]}"
    needed cargo rustup node npm python3 readelf xz dpkg-deb rpmbuild
    version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
    export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
    umask 022
    mkdir -p "$work" "$out"
    install_tools
    # This one can be run here: it prints the manual pages, the completions and the names for all.
    build "$gnu"
    licences
    for form in "$@"; do
        step "$form" "form_$form"
    done
    (cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
    step "check" check
    ls -l "$out"
}

form_gnu() { tarball "$gnu"; }
form_musl() { build "$musl" && tarball "$musl"; }
form_arm64() { build "$arm64" && tarball "$arm64"; }

form_deb() {
    local target
    for target in "$gnu" "$arm64"; do
        [ -x "$(binary "$target")" ] || continue
        tree "$target"
        bash tools/dist/deb.sh "$work/tree-$target" "$(debian_arch "$target")" "$version" "$out"
    done
    bash tools/dist/deb.sh --names "$(names)" "$version" "$out"
}

form_rpm() {
    local target
    for target in "$gnu" "$arm64"; do
        [ -x "$(binary "$target")" ] || continue
        tree "$target"
        bash tools/dist/rpm.sh "$work/tree-$target" "${target%%-*}" "$version" "$out"
    done
    bash tools/dist/rpm.sh --names "$(names)" "$version" "$out"
}

form_wheel() {
    local target
    for target in "$gnu" "$arm64"; do
        [ -x "$(binary "$target")" ] || continue
        tree "$target"
        python3 tools/dist/wheel.py "$work/tree-$target" "${target%%-*}" "$version" "$out"
    done
}

form_image() {
    build "$musl"
    tree "$musl"
    python3 tools/dist/image.py "$work/tree-$musl" "$version" "$out"
}

form_formula() {
    python3 tools/dist/formula.py "$version" "$out"
}

form_sbom() {
    python3 tools/dist/contents.py sbom "$version" "$out/tenbin-$version.cdx.json"
}

# Compiles for one target, in a folder of its own; what is there already is not compiled again.
build() {
    local as=$1
    [[ $1 != *-gnu ]] || as=$1.$glibc
    rustup target list --installed | grep -qx "$1" || rustup target add "$1"
    # The allocator takes the size of a page from the compiler's machine; some systems on ARM have 64 KiB.
    local page=()
    [[ $1 != aarch64-* ]] || page=(JEMALLOC_SYS_WITH_LG_PAGE=16)
    # No path of this machine is in the file.
    local map="--remap-path-prefix=$here=/tenbin --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
    local c_map="-ffile-prefix-map=$here=/tenbin -ffile-prefix-map=${CARGO_HOME:-$HOME/.cargo}=/cargo"
    [[ $1 = *-musl ]] || exports "$as"
    # LuaJIT's makefile links a program of its own, for which zig wants to know where the functions that unwind the stack are (TARGET_LIBS).
    step "build for $as" env PATH="$tools/bin:$PATH" RUSTFLAGS="$map" CFLAGS="$c_map" "${page[@]}" TARGET_LIBS=-lunwind TENBIN_EXPORTS="$work/exports-$as.so" TENBIN_REQUIRE_NODE=1 \
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

debian_arch() { case $1 in aarch64-*) echo arm64 ;; *) echo amd64 ;; esac }

names() { "$(binary "$gnu")" names | tr '\n' ' '; }

# The notices of everything that is built in, once for all forms.
licences() {
    [ "$work/THIRD-PARTY" -nt Cargo.lock ] || python3 tools/dist/contents.py licences "$version" "$work/THIRD-PARTY"
}

tree() {
    bash tools/dist/tree.sh "$(binary "$1")" "$(binary "$gnu")" "$work/THIRD-PARTY" "$work/tree-$1"
}

tarball() {
    local name=tenbin-$version-$1
    tree "$1"
    rm -rf "${work:?}/$name"
    cp -a "$work/tree-$1" "$work/$name"
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -c "$name" | xz -T1 -6 >"$out/$name.tar.xz"
    rm -rf "${work:?}/$name"
}

# What must hold of everything in dist/.
check() {
    local target file
    for target in "$gnu" "$arm64"; do
        [ ! -x "$(binary "$target")" ] || bash tools/dist/elf.sh "$(binary "$target")" "$glibc"
    done
    [ ! -x "$(binary "$musl")" ] || bash tools/dist/elf.sh "$(binary "$musl")" static
    for file in "$out"/*; do
        [ "$(stat -c %s "$file")" -le "$largest" ] || fail "$file is larger than $largest bytes"
    done
    "$(binary "$gnu")" --version
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
