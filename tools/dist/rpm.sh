#!/usr/bin/env bash
# A package for Fedora, RHEL and their like, from the files of tree.sh: tools/dist/rpm.sh TREE x86_64|aarch64 VERSION OUT
# The package with the names of other tools, as links:                 tools/dist/rpm.sh --names "NAME NAME …" VERSION OUT
set -euo pipefail
[ $# -eq 4 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 1; }
version=$3 out=$(cd "$4" && pwd)
sources=$(cd "$(dirname "$0")/../.." && pwd)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$sources" log -1 --format=%ct)}
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/files

main() {
    if [ "$1" = --names ]; then
        of_names "$2"
        package tenbin-names noarch
    else
        of_tree "$1"
        package tenbin "$2"
    fi
}

of_tree() {
    mkdir -p "$root/usr"
    cp -a "$1/." "$root/usr/"
    gzip -9n "$root"/usr/share/man/man1/*
    cat >"$work/own" <<'END'
Summary: Workbench for comparing database servers
%description
Compares MySQL, MariaDB, PostgreSQL and SQLite: loads the data, drives the
load, observes server and client, and repeats every measurement in interleaved
order. The result is a table, an answer in one sentence, an HTML page, and
files from which every figure can be recomputed.
END
}

of_names() {
    mkdir -p "$root/usr/bin"
    local name
    for name in $1; do
        ln -s tenbin "$root/usr/bin/$name"
    done
    cat >"$work/own" <<END
Summary: Other tools' names for tenbin
Requires: tenbin >= $version
Conflicts: sysbench, mariadb, MariaDB-client, mysql, mysql-community-client, percona-server-client, postgresql-contrib
%description
Links by which Tenbin is called as one of these, and behaves as it does:
$1
Beside the real ones install only tenbin, and make links where you want them:
tenbin names --dir DIRECTORY.
END
}

# The file of a package: fields of all, those of its own, and the files as they are.
package() {
    {
        printf 'Name: %s\nVersion: %s\nRelease: 1\nLicense: MIT OR Apache-2.0\n' "$1" "$version"
        cat "$work/own"
        printf '%%install\nmkdir -p %%{buildroot}\ncp -a %s/. %%{buildroot}/\n%%files\n' "$root"
        (cd "$root" && find . ! -type d -printf '/%P\n' | sort)
        # Directories that no other package may have: they are removed with the last package that lists them. Those above have other modes on
        # some systems, and are on all.
        [ ! -d "$root/usr/share" ] || (cd "$root" && find ./usr/share -mindepth 1 -type d -printf '%%dir /usr/share/%P\n' | sort)
    } >"$work/$1.spec"
    # Nothing in it depends on who builds it, where and when; the binary is as it was checked, and stripped already.
    rpmbuild --quiet -bb --target "$2" --buildroot "$work/root" \
        --define "_topdir $work" --define "_rpmdir $out" --define '_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm' \
        --define '__spec_install_post %{nil}' --define 'debug_package %{nil}' --define '_build_id_links none' \
        --define '_buildhost localhost' --define 'use_source_date_epoch_as_buildtime 1' --define 'clamp_mtime_to_source_date_epoch 1' \
        --define '_binary_payload w6.xzdio' --define '_docdir /usr/share/doc' \
        "$work/$1.spec" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
}

main "$@"
