import TerminalUI

/// How an editor is told to open a file at a line.
struct EditorCommand: Equatable {
  /// As messages name it.
  let name: String
  /// For `/bin/sh -c`, which splits what the variable holds as people write it: `code --wait`.
  let script: String
  /// The script's own arguments, from `$1`: no shell reads them.
  let arguments: [String]

  /// - Parameter environment: `VISUAL`, then `EDITOR`; `vi` where neither is set.
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
