import SystemLibrary
package import TraceFormat

/// The path a user gave, and the names that are tried for it.
package enum LogPath {
  /// Replaces `%p` by the process id and `%t` by the trace id; `%%` is a percent sign, other pairs stay.
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

  /// `log.jsonl`, then `log.jsonl.2`, `log.jsonl.3`, ...
  package static func candidate(_ path: String, _ number: Int) -> String {
    number == 1 ? path : "\(path).\(number)"
  }

  /// Returns the path from the root, which stays the same when the working directory changes.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
