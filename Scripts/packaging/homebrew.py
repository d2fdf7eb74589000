"""A Homebrew formula: the programs that were built for Linux, and a build from source on macOS."""

import archive

# The names that Homebrew has for the machines of archives.
MACHINES = {"x86_64": "intel", "aarch64": "arm"}

FORMULA = """\
class TraceViewer < Formula
  desc "Timelines and leaks of reactive code, from logs of ReactiveKit Trace"
  homepage "{page}"
  version "{version}"
  license "MIT"

  on_macos do
    url "{page}/releases/download/v{version}/{source}"
    sha256 "{source_sum}"
    depends_on xcode: ["26.0", :build]
  end

  on_linux do
{linux}  end

  def install
    if OS.mac?
      system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "trace-viewer"
      bin.install ".build/release/trace-viewer"
      generate_completions_from_executable(bin/"trace-viewer", "--generate-completion-script")
      (man1/"trace-viewer.1").write Utils.safe_popen_read(bin/"trace-viewer", "--generate-manual")
    else
      prefix.install "bin", "share"
    end
  end

  test do
    (testpath/"text.jsonl").write "hello\\n"
    assert_match version.to_s, shell_output("#{{bin}}/trace-viewer --version")
    assert_match "not a trace log", shell_output("#{{bin}}/trace-viewer check text.jsonl 2>&1", 65)
  end
end
"""


def write(path, version, page, source, linux):
    """Writes the formula. `linux` has the archives for Linux by machine."""
    blocks = "".join(
        f"    on_{MACHINES[machine]} do\n"
        f'      url "{page}/releases/download/v{version}/{packed.name}"\n'
        f'      sha256 "{archive.sha256(packed)}"\n'
        "    end\n"
        for machine, packed in linux.items())
    if not linux:
        blocks = '    odie "This release has no program for Linux."\n'
    elif len(linux) < len(MACHINES):
        name = MACHINES[next(iter(linux))]
        blocks += f'    depends_on arch: :{"arm64" if name == "arm" else "x86_64"}\n'
    path.write_text(
        FORMULA.format(
            page=page,
            version=version,
            source=source.name,
            source_sum=archive.sha256(source),
            linux=blocks,
        )
    )
