"""What is built into the binary, from Cargo.lock and web/package-lock.json, and what compiler and linker add.

contents.py sbom VERSION FILE       a bill of materials (CycloneDX 1.5, JSON)
contents.py licences VERSION FILE   the notices of everything, each text once
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
import tomllib
import uuid
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2]
TARGET = "x86_64-unknown-linux-gnu"
NOTICE = re.compile(r"^(licen[cs]e|copying|copyright|notice|unlicense)([-._].*)?$", re.IGNORECASE)
# Not of what is compiled: tests, documentation, benchmarks.
ASIDE = {"tests", "test", "doc", "docs", "examples", "benches", "fuzz"}


def main(what, version, out):
    packages = [*crates(), *modules(), *runtime()]
    text = bill(packages, version) if what == "sbom" else notices(packages)
    Path(out).write_text(text, encoding="utf-8")


def crates():
    """The crates that are linked: those that tenbin-cli needs when it runs, and what they need."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", TARGET]
    metadata = json.loads(subprocess.run(command, cwd=SOURCES, check=True, capture_output=True).stdout)
    packages = {p["id"]: p for p in metadata["packages"]}
    needs = {n["id"]: [d["pkg"] for d in n["deps"] if any(k["kind"] is None for k in d["dep_kinds"])] for n in metadata["resolve"]["nodes"]}
    # The sources of LuaJIT are what a build script compiles.
    built = {"luajit-src"}
    for node in metadata["resolve"]["nodes"]:
        needs[node["id"]] += [d["pkg"] for d in node["deps"] if packages[d["pkg"]]["name"] in built]
    reached, left = set(), [p["id"] for p in metadata["packages"] if p["name"] == "tenbin-cli"]
    while left:
        one = left.pop()
        if one not in reached and not is_macro(packages[one]):
            reached.add(one)
            left += needs[one]
    sums = {(p["name"], p["version"]): p.get("checksum") for p in tomllib.loads((SOURCES / "Cargo.lock").read_text())["package"]}
    for package in sorted((packages[i] for i in reached if packages[i]["source"]), key=lambda p: (p["name"], p["version"])):
        yield {
            "name": package["name"],
            "version": package["version"],
            "licence": (package["license"] or "").replace("/", " OR ") or "see its notice",
            "purl": f"pkg:cargo/{package['name']}@{package['version']}",
            "sha256": sums[package["name"], package["version"]],
            "folder": Path(package["manifest_path"]).parent,
        }


def is_macro(package):
    return any("proc-macro" in target["kind"] for target in package["targets"])


def modules():
    """What the script of the page contains."""
    lock = json.loads((SOURCES / "web/package-lock.json").read_text())
    wanted = json.loads((SOURCES / "web/package.json").read_text()).get("dependencies", {})
    for name in sorted(set(wanted) - {"esbuild"}):
        entry = lock["packages"][f"node_modules/{name}"]
        purl, folder = f"pkg:npm/{name}@{entry['version']}", SOURCES / "web/node_modules" / name
        yield {"name": name, "version": entry["version"], "licence": entry["license"], "purl": purl, "sha256": None, "folder": folder}


def runtime():
    """What no lock file names: the standard library of Rust, and of Zig's libraries those that are linked statically."""
    def said(*command):
        return subprocess.run(command, cwd=SOURCES, check=True, capture_output=True, text=True).stdout.strip()
    rust = said("rustc", "--version").split()[1]
    zig = re.search(r"^ziglang=(.*)$", (SOURCES / "tools/dist.sh").read_text(), re.MULTILINE).group(1)
    texts = Path(said("rustc", "--print", "sysroot")) / "share/doc/rust/licenses"
    ziglang = SOURCES / "target/tools/dist/ziglang"
    either = [texts / "MIT.txt", texts / "Apache-2.0.txt", texts / "Unicode-3.0.txt"]
    llvm = [texts / "Apache-2.0.txt", texts / "LLVM-exception.txt"]
    for name, version, licence, holder, files in (
        ("rust-std", rust, "(MIT OR Apache-2.0) AND Unicode-3.0", "the Rust Project Developers (https://thanks.rust-lang.org)", either),
        ("zig-libunwind", zig, "Apache-2.0 WITH LLVM-exception", "the LLVM project", llvm),
        ("zig-compiler-rt", zig, "MIT", "Zig contributors", [ziglang / "LICENSE"]),
        ("zig-musl (static builds)", zig, "MIT", "see below", [ziglang / "lib/libc/musl/COPYRIGHT"]),
    ):
        purl = f"pkg:generic/{name.split(' ')[0]}@{version}"
        yield {"name": name, "version": version, "licence": licence, "purl": purl, "sha256": None, "notices": files, "holder": holder}


def bill(packages, version):
    when = int(os.environ["SOURCE_DATE_EPOCH"])
    components = [component(p) for p in packages]
    name = hashlib.sha256(json.dumps(components, sort_keys=True).encode() + version.encode()).digest()
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.UUID(bytes=name[:16], version=4)}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when)),
            "component": {"type": "application", "bom-ref": "tenbin", "name": "tenbin", "version": version},
        },
        "components": components,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def component(package):
    one = {
        "type": "library",
        "bom-ref": package["purl"],
        "name": package["name"],
        "version": package["version"],
        "licenses": [{"expression": package["licence"]}],
        "purl": package["purl"],
    }
    if package["sha256"]:
        one["hashes"] = [{"alg": "SHA-256", "content": package["sha256"]}]
    return one


def notices(packages):
    texts, without = {}, []
    for package in packages:
        found = package.get("notices") or notices_in(package["folder"])
        for path in found:
            text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip()
            holder = f", copyright: {package['holder']}" if "holder" in package else ""
            texts.setdefault(text, []).append(f"{package['name']} {package['version']}{holder}")
        if not found:
            without.append(f"{package['name']} {package['version']}: {package['licence']}")
    parts = ["Tenbin contains these libraries, each under the terms below its name."]
    if without:
        parts.append("Without a file of their own:\n" + "\n".join(without))
    for text, users in sorted(texts.items(), key=lambda item: item[1]):
        parts.append("\n".join(dict.fromkeys(users)) + "\n\n" + text)
    return ("\n\n" + "-" * 80 + "\n\n").join(parts) + "\n"


def notices_in(folder):
    if not folder.is_dir():
        sys.exit(f"contents.py: {folder} is not there: its notices are not known")
    return sorted(p for p in folder.rglob("*") if p.is_file() and NOTICE.match(p.name) and not ASIDE & set(p.relative_to(folder).parts))


if __name__ == "__main__":
    main(*sys.argv[1:])
