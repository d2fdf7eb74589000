extension RandomAccessCollection {
  /// Returns the index of the first element that meets a condition, or `endIndex` if none does.
  ///
  /// The condition must be true for all elements after the first one that meets it, because this is
  /// a binary search.
  @inlinable
  @inline(__always)
  package func partitionPoint(where isAfter: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = distance(from: low, to: endIndex)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if isAfter(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
