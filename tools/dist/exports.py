"""A C file that names the functions which scripts and their modules find in the binary: exports.py FILE

Compiled to a shared library that the binary is linked with, it makes the linker export exactly these: a linker exports what a library refers to.
The binary does not need the library when it runs. Zig's linker has no option for that (`--export-dynamic-symbol` of others).
"""

import json
import re
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2]


def main(out):
    ours = set(re.findall(r"\bsb_\w+(?=\()|\bsb_\w+(?= [A-Z])", (SOURCES / "crates/script/src/symbols.rs").read_text()))
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    packages = json.loads(subprocess.run(command, cwd=SOURCES, check=True, capture_output=True).stdout)["packages"]
    luajit = next(Path(p["manifest_path"]).parent for p in packages if p["name"] == "luajit-src")
    headers = "".join((luajit / "luajit2/src" / name).read_text() for name in ("lua.h", "lauxlib.h", "lualib.h", "luajit_rolling.h"))
    headers = re.sub(r"/\*.*?\*/", "", headers, flags=re.DOTALL)
    # `LUA_API void lua_close (…);` and `LUA_API void (lua_close) (…);`, but not the version, which is a name that changes.
    lua = set(re.findall(r"\bLUA(?:LIB)?_API\b[^;]*?\b(lua\w*_[a-z]\w*)\)?\s*\([^;]*;", headers))
    # Declared, and defined nowhere.
    lua.discard("lua_setlevel")
    if len(ours) < 15 or len(lua) < 140:
        sys.exit(f"exports.py: only {len(ours)} functions of ours and {len(lua)} of Lua were found")
    names = sorted(ours | lua)
    text = "".join(f"extern char {name}[];\n" for name in names) + f"char *const referred[] = {{ {', '.join(names)} }};\n"
    Path(out).write_text(text)


if __name__ == "__main__":
    main(sys.argv[1])
