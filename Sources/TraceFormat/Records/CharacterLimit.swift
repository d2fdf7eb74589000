extension String {
  /// The most bytes from the start that hold whole characters only and are no more than `limit`.
  ///
  /// Where one character alone is longer than the search is worth (a letter under hundreds of accents), the cut falls
  /// on a Unicode scalar.
  package func bytesOfCharacters(within limit: Int) -> Int {
    guard limit < utf8.count else { return utf8.count }
    guard limit > 0 else { return 0 }
    var end = utf8.index(utf8.startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
    let scalarEnd = end
    let farthest = utf8.index(end, offsetBy: -64, limitedBy: startIndex) ?? startIndex
    while end > farthest {
      if end.samePosition(in: self) != nil { return utf8.distance(from: startIndex, to: end) }
      unicodeScalars.formIndex(before: &end)
    }
    let characterEnd = end == startIndex ? end : scalarEnd
    return utf8.distance(from: startIndex, to: characterEnd)
  }
}
