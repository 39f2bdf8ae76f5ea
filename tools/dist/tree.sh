#!/usr/bin/env bash
# The files of an installation below one prefix, as every form has them: tools/dist/tree.sh BINARY NATIVE THIRD-PARTY DIR
# BINARY is what is installed, NATIVE the same for this machine, which prints manual pages and completions, THIRD-PARTY the notices of what is built in.
set -euo pipefail
[ $# -eq 4 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 1; }
binary=$1 native=$2 third_party=$3 dir=$4
sources=$(cd "$(dirname "$0")/../.." && pwd)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$sources" log -1 --format=%ct)}
umask 022

rm -rf "$dir"
share=$dir/share
mkdir -p "$dir/bin" "$share/man/man1" "$share/doc/tenbin" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
install -m 755 "$binary" "$dir/bin/tenbin"
"$native" man --dir "$share/man/man1" >/dev/null
"$native" completions bash >"$share/bash-completion/completions/tenbin"
"$native" completions zsh >"$share/zsh/site-functions/_tenbin"
"$native" completions fish >"$share/fish/vendor_completions.d/tenbin.fish"
install -m 644 "$sources/README.md" "$sources/README.ja.md" "$sources/CHANGELOG.md" "$sources/LICENSE-MIT" "$sources/LICENSE-APACHE" "$share/doc/tenbin/"
install -m 644 "$third_party" "$share/doc/tenbin/THIRD-PARTY"
find "$dir" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
