"""A bill of materials in SPDX 2.3, which lists the components of the program."""

import datetime
import json
import platform
import re

import archive

TOOL = "Tool: trace-viewer-release"


def write(path, run, version, page, commit, time, library, packed):
    created = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime(
        "%Y-%m-%dT%H:%M:%SZ"
    )
    swift = re.search(r"Swift version (\S+)", run("swift", "--version")).group(1)
    packages = [{
        **entity("trace-viewer", version, "MIT", "the ReactiveKit Trace contributors"),
        "downloadLocation": f"git+{page}.git@{commit}",
        "packageFileName": packed.name,
        "checksums": [{"algorithm": "SHA256", "checksumValue": archive.sha256(packed)}],
        "primaryPackagePurpose": "APPLICATION",
    }]
    relationships = [relation("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-trace-viewer")]
    for name, number, license_id, supplier in libraries(run, swift, library):
        packages.append({
            **entity(name, number, license_id, supplier), "downloadLocation": "NOASSERTION",
            "primaryPackagePurpose": "LIBRARY"})
        relationships.append(relation("SPDXRef-trace-viewer", "STATIC_LINK", f"SPDXRef-{name}"))
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"trace-viewer-{version}",
        "documentNamespace": f"{page}/spdx/trace-viewer-{version}-{platform.machine()}-{commit}",
        "creationInfo": {"created": created, "creators": [TOOL]},
        "packages": packages, "relationships": relationships,
    }
    path.write_text(json.dumps(document, indent=2) + "\n")


def entity(name, version, license_id, supplier):
    return {
        "SPDXID": f"SPDXRef-{name}",
        "name": name,
        "versionInfo": version,
        "filesAnalyzed": False,
        "licenseConcluded": license_id,
        "licenseDeclared": license_id,
        "copyrightText": "NOASSERTION",
        "supplier": f"Organization: {supplier}",
    }


def libraries(run, swift, library):
    """Returns the components that are linked into the program, besides its own code."""
    if platform.system() == "Darwin":
        # The Swift runtime and the C library are parts of macOS.
        return []
    found = [("swift-runtime", swift, "Apache-2.0 WITH Swift-exception", "Swift.org")]
    if library:
        found.append(("libdispatch", swift, "Apache-2.0 WITH Swift-exception", "Swift.org"))
    if library == "glibc":
        glibc = run("ldd", "--version").splitlines()[0].split()[-1]
        gcc = run("sh", "-c", "gcc -dumpfullversion 2>/dev/null || echo unknown").strip()
        found.append(("glibc", glibc, "LGPL-2.1-or-later", "GNU"))
        found.append(("libstdc++", gcc, "GPL-3.0-or-later WITH GCC-exception-3.1", "GNU"))
    elif library == "musl":
        found.append(("musl", "unknown", "MIT", "musl"))
        found.append(("libc++", swift, "Apache-2.0 WITH LLVM-exception", "LLVM"))
    return [(name.replace("+", "p"), *rest) for name, *rest in found]


def relation(left, kind, right):
    return {"spdxElementId": left, "relationshipType": kind, "relatedSpdxElement": right}
