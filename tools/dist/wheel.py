"""A wheel that contains the binary and nothing in Python: wheel.py TREE x86_64|aarch64 VERSION OUT

The format is PEP 427; what is under `data/scripts` is installed beside `pip` itself, and `data/data` below its prefix.
"""

import base64
import hashlib
import os
import sys
import time
import zipfile
from pathlib import Path

METADATA = """Metadata-Version: 2.1
Name: tenbin
Version: {version}
Summary: A workbench for comparing database servers
License: MIT OR Apache-2.0
Requires-Python: >=3.7
Description-Content-Type: text/markdown
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Database
Classifier: Topic :: System :: Benchmark

{readme}"""

WHEEL = """Wheel-Version: 1.0
Generator: tools/dist/wheel.py
Root-Is-Purelib: false
Tag: {tag}
"""


def main(tree, machine, version, out):
    # manylinux2014 is glibc 2.17; the second is its name since PEP 600.
    tag = f"py3-none-manylinux2014_{machine}.manylinux_2_17_{machine}"
    data, info = f"tenbin-{version}.data", f"tenbin-{version}.dist-info"
    readme = (tree / "share/doc/tenbin/README.md").read_text(encoding="utf-8")
    files = {f"{data}/scripts/tenbin": (tree / "bin/tenbin").read_bytes()}
    for below in ("man", "bash-completion", "zsh", "fish"):
        for path in sorted(path for path in (tree / "share" / below).rglob("*") if path.is_file()):
            files[f"{data}/data/{path.relative_to(tree)}"] = path.read_bytes()
    for name in ("LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY"):
        files[f"{info}/{name}"] = (tree / "share/doc/tenbin" / name).read_bytes()
    files[f"{info}/METADATA"] = METADATA.format(version=version, readme=readme).encode()
    tags = "\nTag: ".join(f"py3-none-{platform}" for platform in tag.removeprefix("py3-none-").split("."))
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tags).encode()
    record = f"{info}/RECORD"
    files[record] = "".join([*(recorded(name, content) for name, content in files.items()), f"{record},,\n"]).encode()
    write(out / f"tenbin-{version}-{tag}.whl", files)


def recorded(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def write(path, files):
    """The same bytes for the same content: names in order, the time of the commit."""
    when = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, when)
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, content)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))
