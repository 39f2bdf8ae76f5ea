"""The text of a Homebrew formula for the tarballs in a folder, or else in another: formula.py VERSION OUT OTHER

TENBIN_RELEASE_URL is the address below which the tarballs are published. macOS is not supported yet: the formula is for Homebrew on Linux.
"""

import hashlib
import os
import sys
from pathlib import Path

FORMULA = '''class Tenbin < Formula
  desc "Workbench for comparing database servers"
  homepage "{base}"
  version "{version}"
  license any_of: ["MIT", "Apache-2.0"]
  depends_on :linux

{archives}
  def install
    bin.install "bin/tenbin"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/tenbin"
    zsh_completion.install "share/zsh/site-functions/_tenbin"
    fish_completion.install "share/fish/vendor_completions.d/tenbin.fish"
    doc.install Dir["share/doc/tenbin/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/tenbin --version")
    assert_match "oltp_read_write", shell_output("#{{bin}}/tenbin list")
  end
end
'''

ARCHIVE = '''  on_{kind} do
    url "{base}/{name}"
    sha256 "{digest}"
  end
'''


def main(version, out, other):
    base = os.environ.get("TENBIN_RELEASE_URL", "https://REPLACE-BY-TENBIN_RELEASE_URL")
    archives = []
    for kind, machine in (("intel", "x86_64"), ("arm", "aarch64")):
        name = f"tenbin-{version}-{machine}-unknown-linux-gnu.tar.xz"
        path = next((folder / name for folder in (out, other) if (folder / name).exists()), None)
        if path:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            archives.append(ARCHIVE.format(kind=kind, base=base, name=path.name, digest=digest))
    if not archives:
        sys.exit(f"formula.py: there is no tarball in {out} and {other}; build it first: tools/dist.sh gnu formula")
    text = FORMULA.format(base=base, version=version, archives="\n".join(archives))
    (out / "tenbin.rb").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
