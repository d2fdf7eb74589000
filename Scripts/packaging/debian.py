"""A package for Debian and Ubuntu, made with dpkg-deb."""

import email.utils
import hashlib
import os
import platform
import re

import archive

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
MAINTAINER = "The ReactiveKit Trace contributors <maintainers@users.noreply.github.com>"

CONTROL = """\
Package: trace-viewer
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Section: devel
Priority: optional
Homepage: {page}
Description: timelines and leaks of reactive code, from logs of ReactiveKit Trace
 trace-viewer reads the logs that the operator lane of ReactiveKit Trace writes.
 It shows each subscription on a timeline, says what keeps a leaked one alive,
 and fails a run of a build server on subscriptions that were never disposed.
"""

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ReactiveKit Trace
Source: {page}

Files: *
Copyright: {holder}
License: Expat
{license}
"""

# Policy asks for shared libraries. This program has to run where Swift is not installed.
OVERRIDES = """\
# The Swift runtime is not packaged in Debian, and a static program runs on every release of it.
trace-viewer: statically-linked-binary
"""


def package(run, made, scratch, version, files, page, time):
    """Writes the package to the folder `made`."""
    architecture = ARCHITECTURES.get(platform.machine(), platform.machine())
    root = scratch / "debian"
    license_text = files["license"].decode()
    holder = re.search(r"Copyright \(c\) (.*)", license_text).group(1)
    body = license_text.split("\n\n", 2)[2].strip().splitlines()
    changes = (
        f"trace-viewer ({version}) stable; urgency=medium\n\n"
        f"  * What has changed:\n    {page}/releases/tag/v{version}\n\n"
        f" -- {MAINTAINER}  {email.utils.formatdate(time)}\n")
    entries = {
        "usr/bin/trace-viewer": (files["program"], 0o755),
        "usr/share/man/man1/trace-viewer.1.gz": (archive.compressed(files["manual"], time), 0o644),
        "usr/share/bash-completion/completions/trace-viewer": (files["bash"], 0o644),
        "usr/share/zsh/vendor-completions/_trace-viewer": (files["zsh"], 0o644),
        "usr/share/fish/vendor_completions.d/trace-viewer.fish": (files["fish"], 0o644),
        "usr/share/doc/trace-viewer/copyright": (
            COPYRIGHT.format(
                page=page,
                holder=holder,
                license="\n".join(f" {line}" if line else " ." for line in body),
            ).encode(),
            0o644,
        ),
        "usr/share/doc/trace-viewer/log.schema.json": (files["schema"], 0o644),
        "usr/share/doc/trace-viewer/changelog.gz": (
            archive.compressed(changes.encode(), time),
            0o644,
        ),
        "usr/share/lintian/overrides/trace-viewer": (OVERRIDES.encode(), 0o644),
    }
    size = sum(len(data) + 1023 for data, _ in entries.values()) // 1024
    control = CONTROL.format(
        version=version, architecture=architecture, maintainer=MAINTAINER, size=size, page=page)
    sums = "".join(
        f"{md5(data)}  {name}\n" for name, (data, _) in sorted(entries.items()))
    entries["DEBIAN/control"] = (control.encode(), 0o644)
    entries["DEBIAN/md5sums"] = (sums.encode(), 0o644)
    for name, (data, mode) in entries.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        file.chmod(mode)
    for folder, _, _ in os.walk(root):
        os.chmod(folder, 0o755)
    run(
        "dpkg-deb", "--build", "--root-owner-group", "-Zxz", str(root),
        str(made / f"trace-viewer_{version}_{architecture}.deb"),
        env={**os.environ, "SOURCE_DATE_EPOCH": str(time)})


def md5(data):
    """Returns the checksum that dpkg compares installed files with."""
    return hashlib.md5(data, usedforsecurity=False).hexdigest()
