/// The names of the files of a rotated log, shared by the code that writes the files and the code
/// that follows them.
package enum SegmentPath {
  /// Returns the path of a file of the log: `log.jsonl`, then `log.part-2.jsonl`, and so on.
  package static func of(_ path: String, _ number: Int) -> String {
    guard number > 1 else { return path }
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
    guard let dot = path[(name ?? path.startIndex)...].lastIndex(of: "."),
      dot > name ?? path.startIndex
    else { return "\(path).part-\(number)" }
    return "\(path[..<dot]).part-\(number)\(path[dot...])"
  }

  /// Returns the path of the first file of the log, and the number of the file at the path. The
  /// number is 1 if the path isn't that of a later file.
  package static func parse(_ path: String) -> (first: String, number: Int) {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
    let start = name ?? path.startIndex
    let dots = path.indices.filter { $0 > start && path[$0] == "." }.suffix(2)
    // The number is after the last dot, or between the last two.
    for dot in dots.reversed() {
      let rest = path[path.index(after: dot)...]
      let part = rest.prefix { $0 != "." }
      guard part.hasPrefix("part-"), let number = Int(part.dropFirst(5)), number > 1 else {
        continue
      }
      let first = path[..<dot] + rest.dropFirst(part.count)
      if of(String(first), number) == path { return (String(first), number) }
    }
    return (path, 1)
  }
}
