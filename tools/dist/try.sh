#!/usr/bin/env bash
# Tries the files in dist/ where they are to work, with the lines of the README: as root on Debian, after `make dist`.
#
#   tools/dist/try.sh [debian11 debian12 rpm musl wheel image old-kernel]
#
# The roots are made by debootstrap from Debian's mirror into target/dist-work/roots; Debian's busybox-static stands for Alpine, whose files are not
# among Debian's; rpm installs into a directory with a database of its own, on the libraries of this machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD
out=${TENBIN_DIST:-$here/dist}
roots=${TENBIN_ROOTS:-$here/target/dist-work/roots}
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
archive=tenbin-$version-x86_64-unknown-linux
nobody=65534:65534
mkdir -p "$roots"

main() {
    [ $# -gt 0 ] || set -- debian11 debian12 rpm musl wheel image old-kernel
    local form
    for form in "$@"; do
        echo "== $form"
        "try_${form//-/_}"
    done
}

try_debian11() { debian bullseye; }
try_debian12() { debian bookworm; }

# The packages, in a root as debootstrap makes it: apt and dpkg, no man, no server.
debian() {
    local root=$roots/$1
    [ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase "$1" "$root" http://deb.debian.org/debian >/dev/null
    find "$root" -xdev ! -path "$root/var/*" ! -path "$root/tmp*" | sort >"$roots/before"
    cp "$out/tenbin_${version}_amd64.deb" "$out/tenbin-names_${version}_all.deb" "$root/tmp/"
    local apt="apt-get -qq -o Dpkg::Use-Pty=0 -o Debug::NoLocking=1 -y"
    in_root "$root" "$apt install /tmp/tenbin_${version}_amd64.deb >/dev/null"
    demo "$root"
    in_root "$root" "$apt install /tmp/tenbin-names_${version}_all.deb >/dev/null && sysbench --version && mysqlslap --version"
    in_root "$root" "test -s /usr/share/man/man1/tenbin.1.gz -o ! -d /usr/share/man/man1"
    in_root "$root" "bash -c '. /usr/share/bash-completion/completions/tenbin && complete -p tenbin'"
    # Once more over itself, and away.
    in_root "$root" "dpkg -i /tmp/tenbin_${version}_amd64.deb >/dev/null && dpkg -r tenbin-names tenbin >/dev/null"
    find "$root" -xdev ! -path "$root/var/*" ! -path "$root/tmp*" | sort >"$roots/after"
    diff "$roots/before" "$roots/after" && echo "dpkg -r left nothing"
}

try_rpm() {
    local root=$roots/rpm
    rm -rf "$root" && mkdir -p "$root"
    rpm --root "$root" --initdb
    rpm --root "$root" --nodeps --ignoreos -i "$out/tenbin-$version-1.x86_64.rpm" "$out/tenbin-names-$version-1.noarch.rpm"
    "$root/usr/bin/sysbench" --version
    gzip -dc "$root/usr/share/man/man1/tenbin.1.gz" | grep -c '^\.SH'
    (cd "$roots" && timed "$root/usr/bin/tenbin" demo --runs "$root/runs")
    rpm --root "$root" --nodeps -U --force "$out/tenbin-$version-1.x86_64.rpm"
    rpm --root "$root" -e tenbin-names tenbin
    # Neither files, nor directories that are not everywhere.
    rm -r "$root/runs" && find "$root/usr" \( ! -type d -o -path "$root/usr/share/*" \) | { ! grep .; } && echo "rpm -e left nothing"
}

# Alpine's shell and tar are busybox; there is no glibc.
try_musl() {
    local root=$roots/musl
    rm -rf "$root" && mkdir -p "$root"/{bin,proc,tmp,usr/local,runs}
    chmod 1777 "$root/tmp" "$root/runs"
    cp /bin/busybox "$root/bin/" && for name in sh tar xz cat; do ln -s busybox "$root/bin/$name"; done
    cp "$out/$archive-musl.tar.xz" "$root/tmp/"
    chroot "$root" /bin/sh -c "tar -xJf /tmp/$archive-musl.tar.xz -C /usr/local --strip-components=1"
    demo "$root"
}

try_wheel() {
    local root=$roots/wheel
    rm -rf "$root" && python3 -m venv "$root"
    "$root/bin/pip" install --quiet --disable-pip-version-check --no-index "$out"/tenbin-"$version"-*x86_64.whl
    chmod -R a-w "$root/lib" "$root/bin"
    "$root/bin/tenbin" man | head -1
    (cd "$roots" && timed "$root/bin/tenbin" demo --runs "$roots/runs")
    chmod -R u+w "$root"
    "$root/bin/pip" uninstall --quiet -y tenbin && [ ! -e "$root/bin/tenbin" ] && echo "pip uninstall left nothing"
}

# As `docker run --rm --read-only -v tenbin-runs:/runs tenbin demo` starts it, without Docker: process 1, another account, one directory to write to.
try_image() {
    local root=$roots/image
    rm -rf "$root" && mkdir -p "$root/proc"
    python3 - "$out/tenbin-$version-image-amd64.tar" "$root" <<'END'
import io, json, sys, tarfile
archive = tarfile.open(sys.argv[1])
read = lambda name: archive.extractfile(name).read()
image = json.loads(read("manifest.json"))[0]
for layer in image["Layers"]:
    tarfile.open(fileobj=io.BytesIO(read(layer))).extractall(sys.argv[2], numeric_owner=True)
config = json.loads(read(image["Config"]))["config"]
print("\n".join([config["User"], config["Entrypoint"][0], *config["Env"]]), file=open(sys.argv[2] + ".config", "w"))
END
    local config
    mapfile -t config <"$root.config"
    local user=${config[0]} program=${config[1]}
    timed env -i "${config[@]:2}" /usr/bin/unshare --mount --pid --fork /bin/sh -c 'PATH=$PATH:/bin:/sbin; root=$1; user=$2; program=$3; shift 3; mount --bind "$root" "$root"; mount -o remount,ro,bind "$root"
        mount -t tmpfs runs "$root/runs"; chown "$user" "$root/runs"; mount -t proc proc "$root/proc"; cd "$root/runs"; exec /usr/sbin/chroot --userspec="$user" "$root" "$program" "$@"' \
        sh "$root" "$user" "$program" demo
    echo "as $user: $program"
}

# The glibc build as on Linux 3.10.
try_old_kernel() {
    local root=$roots/old-kernel
    rm -rf "$root" && mkdir -p "$root"
    tar -xJf "$out/$archive-gnu.tar.xz" -C "$root" --strip-components=1
    (cd "$roots" && timed python3 "$here/tools/dist/old_kernel.py" "$root/bin/tenbin" demo --runs "$root/runs")
}

in_root() {
    chroot "$1" /bin/sh -c "$2"
}

# The demo as an account without a home directory, with hardly any environment.
demo() {
    timed unshare --mount --fork sh -c 'mount -t proc proc "$1/proc"; mkdir -p "$1/tmp/runs"; chmod 777 "$1/tmp/runs"
        program=/usr/local/bin/tenbin; [ -e "$1$program" ] || program=/usr/bin/tenbin
        exec env -i /usr/sbin/chroot --userspec="$2" "$1" "$program" demo --runs /tmp/runs' sh "$1" "$nobody"
    rm -rf "$1/tmp/runs"
}

# Runs a demo, whose last lines are printed; it may take 90 seconds.
timed() {
    local from=$SECONDS
    timeout 90 "$@" >"$roots/log" 2>&1 || { tail -20 "$roots/log"; echo "FAILED: $*" >&2; exit 1; }
    grep -h '^answer' "$roots/log" | cut -c1-100 || true
    echo "$((SECONDS - from)) s"
}

main "$@"
