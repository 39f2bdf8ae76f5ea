"""An image for containers without a daemon to build it: image.py TREE amd64|arm64 VERSION OUT

One layer: the static binary, the folders it writes to, an account that is not root. The archive is an OCI image layout that also has the
`manifest.json` of older versions of `docker load`.
"""

import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
import time
from pathlib import Path

ACCOUNT = 10001
PASSWD = f"root:x:0:0:root:/:/sbin/nologin\ntenbin:x:{ACCOUNT}:{ACCOUNT}:Tenbin:/runs:/sbin/nologin\n"
GROUP = f"root:x:0:\ntenbin:x:{ACCOUNT}:\n"


def main(tree, machine, version, out):
    when = int(os.environ["SOURCE_DATE_EPOCH"])
    layer = tar(entries(tree), when)
    packed = gzip.compress(layer, 9, mtime=0)
    blobs = {}
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))
    config = blob(blobs, configuration(machine, version, created, digest(layer)))
    layers = [described("application/vnd.oci.image.layer.v1.tar+gzip", add(blobs, packed), len(packed))]
    manifest = blob(blobs, {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": described("application/vnd.oci.image.config.v1+json", *config),
        "layers": layers,
    })
    name = f"tenbin:{version}"
    index = {"schemaVersion": 2, "manifests": [{
        **described("application/vnd.oci.image.manifest.v1+json", *manifest),
        "platform": {"architecture": machine, "os": "linux"},
        "annotations": {"io.containerd.image.name": f"docker.io/library/{name}", "org.opencontainers.image.ref.name": version},
    }]}
    older = [{"Config": f"blobs/sha256/{config[0]}", "RepoTags": [name], "Layers": [f"blobs/sha256/{digest(packed)}"]}]
    files = [("blobs", None, 0o755, 0), ("blobs/sha256", None, 0o755, 0)]
    files += [(f"blobs/sha256/{name}", content, 0o644, 0) for name, content in sorted(blobs.items())]
    files += [
        ("index.json", json.dumps(index).encode(), 0o644, 0),
        ("manifest.json", json.dumps(older).encode(), 0o644, 0),
        ("oci-layout", b'{"imageLayoutVersion":"1.0.0"}', 0o644, 0),
    ]
    (out / f"tenbin-{version}-image-{machine}.tar").write_bytes(tar(files, when))


def entries(tree):
    """What is in the image: path, content (None: a folder), mode, owner."""
    doc = tree / "share/doc/tenbin"
    folders = [("etc", 0o755, 0), ("runs", 0o755, ACCOUNT), ("tmp", 0o1777, 0), ("usr", 0o755, 0), ("usr/bin", 0o755, 0)]
    folders += [("usr/share", 0o755, 0), ("usr/share/doc", 0o755, 0), ("usr/share/doc/tenbin", 0o755, 0)]
    files = [("etc/passwd", PASSWD.encode(), 0o644), ("etc/group", GROUP.encode(), 0o644), ("usr/bin/tenbin", (tree / "bin/tenbin").read_bytes(), 0o755)]
    files += [(f"usr/share/doc/tenbin/{n}", (doc / n).read_bytes(), 0o644) for n in ("LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY")]
    return sorted([(p, None, mode, owner) for p, mode, owner in folders] + [(*file, 0) for file in files])


def configuration(machine, version, created, layer):
    return {
        "architecture": machine,
        "os": "linux",
        "created": created,
        "config": {
            "User": f"{ACCOUNT}:{ACCOUNT}",
            "Entrypoint": ["/usr/bin/tenbin"],
            "Cmd": ["--help"],
            "WorkingDir": "/runs",
            # SQLite wants a directory for temporary files, and would take the one that it was started in.
            "Env": ["PATH=/usr/bin", "HOME=/runs", "TENBIN_RUNS=/runs", "TENBIN_STATE_DIR=/runs/.tenbin", "SQLITE_TMPDIR=/runs"],
            "Volumes": {"/runs": {}},
            "Labels": {"org.opencontainers.image.title": "tenbin", "org.opencontainers.image.version": version},
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{layer}"]},
        "history": [{"created": created, "created_by": "tools/dist/image.py"}],
    }


def tar(files, when):
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, content, mode, owner in files:
            entry = tarfile.TarInfo(path)
            entry.type = tarfile.DIRTYPE if content is None else tarfile.REGTYPE
            entry.mode, entry.uid, entry.gid, entry.mtime, entry.size = mode, owner, owner, when, len(content or b"")
            archive.addfile(entry, io.BytesIO(content or b""))
    return held.getvalue()


def digest(content):
    return hashlib.sha256(content).hexdigest()


def add(blobs, content):
    blobs[digest(content)] = content
    return digest(content)


def blob(blobs, value):
    content = json.dumps(value, sort_keys=True).encode()
    return add(blobs, content), len(content)


def described(kind, name, size):
    return {"mediaType": kind, "digest": f"sha256:{name}", "size": size}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))
