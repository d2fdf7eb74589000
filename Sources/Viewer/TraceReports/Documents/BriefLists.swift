import TraceFormat

/// A JSON object on one line of limited size: some members, and lists with as many entries as fit.
/// A number after each list says how many entries were left out.
struct BriefLists {
  /// A list of entries, the most important ones first.
  struct List {
    let key: String
    let count: Int
    /// Returns an entry as JSON.
    let entry: (Int) -> String
  }

  /// The members before the lists.
  let head: (inout JSONWriter) -> Void
  let lists: [List]

  /// Returns the object, followed by a line end.
  ///
  /// - Parameter tokens: The maximum number of tokens.
  func text(tokens: Int) -> String {
    let room = tokens * BriefFinding.bytesPerToken
    var json = JSONWriter(.compact)
    json.object { head(&$0) }
    var text = String(json.text.dropLast())
    var separator = text.hasSuffix("{") ? "" : ","
    // Each list needs room for its key and for the number of entries that it leaves out.
    var size = text.utf8.count + 2 + lists.reduce(0) { $0 + 2 * $1.key.utf8.count + 32 }
    for list in lists {
      var entries: [String] = []
      for index in 0..<list.count {
        let entry = list.entry(index)
        guard size + entry.utf8.count + 1 <= room else { break }
        entries.append(entry)
        size += entry.utf8.count + 1
      }
      text += "\(separator)\"\(list.key)\":[\(entries.joined(separator: ","))]"
      let omitted = list.count - entries.count
      let key = list.key.prefix(1).uppercased() + list.key.dropFirst()
      if omitted > 0 { text += ",\"omitted\(key)\":\(omitted)" }
      separator = ","
    }
    return text + "}\n"
  }
}
