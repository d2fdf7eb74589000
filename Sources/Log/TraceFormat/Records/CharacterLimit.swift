extension String {
  /// Returns the size in bytes of the longest prefix that has only whole characters and at most
  /// `limit` bytes.
  ///
  /// The search goes back at most 64 bytes. If a single character is longer than that, such as a
  /// letter with hundreds of accents, the cut falls on a Unicode scalar.
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
