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

  /// `log.jsonl`, then `log.part-2.jsonl`, ...
  package static func segment(_ path: String, _ number: Int) -> String {
    guard number > 1 else { return path }
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
    guard let dot = path[(name ?? path.startIndex)...].lastIndex(of: "."),
      dot > name ?? path.startIndex
    else { return "\(path).part-\(number)" }
    return "\(path[..<dot]).part-\(number)\(path[dot...])"
  }

  /// `log.jsonl`, then `log.jsonl.2`, `log.jsonl.3`, ...
  package static func candidate(_ path: String, _ number: Int) -> String {
    number == 1 ? path : "\(path).\(number)"
  }
}
