"""Archives whose bytes depend only on their content, so that two builds can be compared."""

import gzip
import hashlib
import io
import tarfile


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def compressed(data, time):
    """Returns data as gzip with a given time, without a file name."""
    buffer = io.BytesIO()
    with gzip.GzipFile(
        fileobj=buffer, mode="wb", compresslevel=9, mtime=time, filename=""
    ) as stream:
        stream.write(data)
    return buffer.getvalue()


def source(run, root, path, folder, time):
    """Writes the committed files."""
    plain = path.with_suffix("")
    run("git", "archive", "--format=tar", f"--prefix={folder}/", f"--output={plain}", "HEAD")
    path.write_bytes(compressed(plain.read_bytes(), time))
    plain.unlink()


def program(path, folder, files, time):
    """Writes the program in a layout to unpack into /usr/local without the first folder."""
    entries = {
        "bin/trace-viewer": (files["program"], 0o755),
        "share/man/man1/trace-viewer.1": (files["manual"], 0o644),
        "share/bash-completion/completions/trace-viewer": (files["bash"], 0o644),
        "share/zsh/site-functions/_trace-viewer": (files["zsh"], 0o644),
        "share/fish/vendor_completions.d/trace-viewer.fish": (files["fish"], 0o644),
        "share/doc/trace-viewer/LICENSE": (files["license"], 0o644),
        "share/doc/trace-viewer/CHANGELOG.md": (files["changelog"], 0o644),
        "share/doc/trace-viewer/log.schema.json": (files["schema"], 0o644),
    }
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        folders = set()
        for name, (data, mode) in sorted(entries.items()):
            parts = [folder, *name.split("/")]
            for length in range(1, len(parts)):
                above = "/".join(parts[:length])
                if above not in folders:
                    folders.add(above)
                    add(tar, above, b"", 0o755, time, tarfile.DIRTYPE)
            add(tar, "/".join(parts), data, mode, time, tarfile.REGTYPE)
    path.write_bytes(compressed(buffer.getvalue(), time))


def add(tar, name, data, mode, time, kind):
    info = tarfile.TarInfo(name)
    info.type, info.mode, info.mtime, info.size = kind, mode, time, len(data)
    info.uname = info.gname = "root"
    tar.addfile(info, io.BytesIO(data))
