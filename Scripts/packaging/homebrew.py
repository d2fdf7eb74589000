"""A Homebrew formula: the program that was built for Linux, and a build from source on macOS."""

import platform

import archive

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


def write(path, version, page, source, packed):
    linux = (
        f'    url "{page}/releases/download/v{version}/{packed.name}"\n'
        f'    sha256 "{archive.sha256(packed)}"\n'
        f'    depends_on arch: :{"arm64" if platform.machine() == "aarch64" else platform.machine()}\n')
    if platform.system() != "Linux":
        linux = '    odie "This release has no program for Linux."\n'
    path.write_text(FORMULA.format(
        page=page, version=version, source=source.name, source_sum=archive.sha256(source), linux=linux))
