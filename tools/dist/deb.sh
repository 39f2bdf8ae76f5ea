#!/usr/bin/env bash
# A package for Debian and Ubuntu, from the files of tree.sh: tools/dist/deb.sh TREE amd64|arm64 VERSION OUT
# The package with the names of other tools, as links:        tools/dist/deb.sh --names "NAME NAME …" VERSION OUT
# DEB_COMPRESSION is given to dpkg-deb [xz].
set -euo pipefail
[ $# -eq 4 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 1; }
version=$3 out=$4
sources=$(cd "$(dirname "$0")/../.." && pwd)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$sources" log -1 --format=%ct)}
umask 022
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

main() {
    if [ "$1" = --names ]; then
        of_names "$2"
        finish tenbin-names all
    else
        of_tree "$1" "$2"
        finish tenbin "$2"
    fi
}

of_tree() {
    mkdir "$root/usr"
    cp -a "$1/." "$root/usr/"
    local doc=$root/usr/share/doc/tenbin
    # Where Debian has them.
    mkdir "$root/usr/share/zsh/vendor-completions"
    mv "$root/usr/share/zsh/site-functions/_tenbin" "$root/usr/share/zsh/vendor-completions/"
    rmdir "$root/usr/share/zsh/site-functions"
    { cat "$doc/LICENSE-MIT"; printf '\nOr, at your option, the Apache License, Version 2.0: /usr/share/common-licenses/Apache-2.0\n'; } >"$doc/copyright"
    mv "$doc/CHANGELOG.md" "$doc/changelog"
    rm "$doc/LICENSE-MIT" "$doc/LICENSE-APACHE"
    gzip -9n "$doc/changelog" "$doc/THIRD-PARTY" "$root"/usr/share/man/man1/*
    control tenbin "$2" <<END
Depends: $(dependencies "$1/bin/tenbin")
Suggests: mariadb-server | mysql-server, postgresql
Description: workbench for comparing database servers
 Compares MySQL, MariaDB, PostgreSQL and SQLite: loads the data, drives the
 load, observes server and client, and repeats every measurement in
 interleaved order. The result is a table, an answer in one sentence, an
 HTML page, and files from which every figure can be recomputed.
END
}

of_names() {
    mkdir -p "$root/usr/bin" "$root/usr/share/doc/tenbin-names"
    local name
    for name in $1; do
        ln -s tenbin "$root/usr/bin/$name"
    done
    cp "$sources/LICENSE-MIT" "$root/usr/share/doc/tenbin-names/copyright"
    # Another package that has a file of one of these names.
    control tenbin-names all <<END
Depends: tenbin (>= $version)
Conflicts: sysbench, virtual-mysql-client, mariadb-client, mariadb-client-10.3, mariadb-client-10.5, mariadb-client-10.6, mysql-client, mysql-client-8.0, mysql-community-client, percona-server-client, postgresql-client-common
Description: other tools' names for tenbin
 Links by which Tenbin is called as one of these, and behaves as it does:
 ${1% }
 .
 Beside the real ones install only tenbin, and make links where you want them:
 tenbin names --dir DIRECTORY.
END
}

# The control file: the fields of all packages, and those on standard input before the description.
control() {
    mkdir "$root/DEBIAN"
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: The developers of Tenbin\n' "$1" "$version" "$2"
        printf 'Section: database\nPriority: optional\nInstalled-Size: %s\n' "$(du -k --apparent-size -s "$root/usr" | cut -f1)"
        cat
    } >"$root/DEBIAN/control"
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
}

# The libraries that the binary needs, by the packages that have them.
dependencies() {
    local needed newest all
    needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    newest=$(readelf -V "$1" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)
    all="libc6 (>= ${newest#GLIBC_})"
    [[ $needed != *libgcc_s* ]] || all="$all, libgcc-s1 | libgcc1"
    echo "$all"
}

finish() {
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Z"${DEB_COMPRESSION:-xz}" --build "$root" "$out/$1_${version}_$2.deb" >/dev/null
}

main "$@"
