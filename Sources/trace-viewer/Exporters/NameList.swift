/// The names that a log has, for whoever wrote one that it has not.
enum NameList {
  private static let most = 8

  /// `: the log has "start" and "end".`, from the first names; ends the sentence.
  static func hint(_ names: [String], _ word: String) -> String {
    var seen: Set<String> = []
    let names = names.filter { !$0.isEmpty && seen.insert($0).inserted }
    if names.isEmpty { return "; the log has no \(word)." }
    let more = names.count > most ? ", and \(names.count - most) more" : ""
    return "; the log has " + names.prefix(most).map { "'\($0)'" }.joined(separator: ", ") + more
      + "."
  }
}
