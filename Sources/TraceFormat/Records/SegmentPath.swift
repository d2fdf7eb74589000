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
}
