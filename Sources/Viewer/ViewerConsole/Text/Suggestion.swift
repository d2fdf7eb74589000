/// Functions that guess the intended word for a mistyped one.
package enum Suggestion {
  /// Returns the candidate nearest to `word`, if one is near enough.
  ///
  /// - Parameter hasWildcards: A Boolean value that indicates whether `*` and `?` in the word stand
  ///   for any letters.
  package static func best(
    _ word: String, of candidates: [String], hasWildcards: Bool = false
  ) -> String? {
    let typed = Array(word.lowercased().prefix(64))
    let ranked = candidates.map {
      (name: $0, distance: distance(typed, Array($0), hasWildcards: hasWildcards))
    }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    let letters = hasWildcards ? typed.count { $0 != "*" && $0 != "?" } : typed.count
    if best.distance <= max(1, letters / 3) { return best.name }
    // The word may also be the beginning of a candidate.
    let beginnings = candidates.filter { typed.count >= 3 && $0.hasPrefix(String(typed)) }
    return beginnings.count == 1 ? beginnings.first : nil
  }

  package static func isNear(_ word: String, _ candidate: String) -> Bool {
    best(word, of: [candidate]) != nil
  }

  /// Returns the number of letters to insert, delete, change or swap with the next one.
  private static func distance(_ from: [Character], _ to: [Character], hasWildcards: Bool) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...to.count)
    for (row, letter) in from.enumerated() {
      if hasWildcards, letter == "*" {
        // It stands for any beginning of the rest.
        for column in to.indices { last[column + 1] = min(last[column + 1], last[column]) }
        beforeLast = last
        continue
      }
      let isAny = hasWildcards && letter == "?"
      var current = [last[0] + 1]
      for (column, other) in to.enumerated() {
        var cost = min(
          last[column] + (letter == other || isAny ? 0 : 1), last[column + 1] + 1,
          current[column] + 1)
        if row > 0, column > 0, letter == to[column - 1], from[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[to.count]
  }
}
