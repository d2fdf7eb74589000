import SystemLibrary
import TerminalUI
import ViewerConsole

/// The summary that GitHub shows for a step: Markdown at the end of a file that GitHub names.
enum JobSummary {
  /// The maximum size in bytes of a step summary. GitHub does not show a longer one.
  static let maxBytes = 1 << 20

  /// Appends to the summary. If the summary can't be written, the function prints a warning and
  /// the command does not fail.
  static func append(_ markdown: String, to path: String, _ console: Console) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { return warn(path, reason(errno), console) }
    defer { close(descriptor) }
    var status = stat()
    let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    guard size + markdown.utf8.count <= maxBytes else {
      return warn(path, "it would exceed \(maxBytes >> 20) MiB", console)
    }
    let output = Output(descriptor: descriptor)
    output.write(markdown)
    output.flush()
    if let failure = output.failure { warn(path, reason(failure), console) }
  }

  private static func reason(_ error: Int32) -> String {
    String(cString: strerror(error))
  }

  private static func warn(_ path: String, _ reason: String, _ console: Console) {
    console.writeError("Warning", "\(path): The job summary cannot be written: \(reason).")
  }
}
