import TerminalUI

/// A command that opens a file in an editor at a line.
struct EditorCommand: Equatable {
  /// The name of the editor in messages.
  let name: String
  /// The script for `/bin/sh -c`. The shell splits the value of the variable, such as `code
  /// --wait`.
  let script: String
  /// The arguments of the script, from `$1`. No shell interprets them.
  let arguments: [String]

  /// Creates the command.
  ///
  /// - Parameter environment: The environment with `VISUAL` or else `EDITOR`. If neither is set,
  ///   the editor is `vi`.
  init(_ environment: Environment, file: String, line: Int) {
    let editor = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
    let program = editor.split(separator: " ").first?.split(separator: "/").last ?? ""
    let line = max(1, line)
    switch program {
    case "code", "codium", "cursor", "windsurf":
      arguments = ["--goto", "\(file):\(line)"]
    case "subl", "zed", "hx", "helix":
      arguments = ["\(file):\(line)"]
    case "xed":
      arguments = ["--line", "\(line)", file]
    case "idea", "clion", "fleet":
      arguments = ["--line", "\(line)", file]
    default:
      arguments = ["+\(line)", file]
    }
    name = editor
    script = "\(editor) \"$@\""
  }
}
