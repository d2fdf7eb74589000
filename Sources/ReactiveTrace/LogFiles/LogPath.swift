import SystemLibrary
package import TraceFormat

/// Functions that turn a path from the user into the paths to try.
package enum LogPath {
  /// Replaces `%p` with the process ID and `%t` with the trace ID. `%%` becomes a percent sign.
  /// Other pairs aren't changed.
  package static func resolve(_ pattern: String, _ identity: LogIdentity) -> String {
    var path = ""
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%", let letter = rest.first else {
        path.unicodeScalars.append(scalar)
        continue
      }
      switch letter {
      case "p": path += String(identity.pid)
      case "t": path += identity.trace
      case "%": path += "%"
      default:
        path += "%"
        continue
      }
      rest.removeFirst()
    }
    return path
  }

  /// Returns the name to try next: `log.jsonl`, then `log.jsonl.2`, `log.jsonl.3`, and so on.
  package static func candidate(_ path: String, _ number: Int) -> String {
    number == 1 ? path : "\(path).\(number)"
  }

  /// Returns the absolute path, which does not change with the working directory.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
