extension Array {
  /// Returns the index of the first element whose key is not below `limit`. The elements must be
  /// sorted by their keys.
  func firstIndex(notBelow limit: UInt, _ key: (Element) -> UInt) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) < limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
