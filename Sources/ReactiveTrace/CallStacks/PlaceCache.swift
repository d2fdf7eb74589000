/// A cache of the locations at which a thread observed most recently, by the fingerprints of their
/// call stacks. With it, a thread that observes repeatedly at the same locations doesn't take a
/// lock.
struct PlaceCache {
  private struct Entry {
    var fingerprint: UInt64 = 0
    var number = 0
  }

  private static let capacity = 64
  private var entries: UnsafeMutablePointer<Entry>?

  /// Returns the number of the location, or nil if it isn't in the cache.
  @inline(__always)
  func number(of fingerprint: UInt64) -> Int? {
    guard let entries else { return nil }
    let entry = entries[Self.slot(fingerprint)]
    return entry.fingerprint == fingerprint ? entry.number : nil
  }

  mutating func remember(_ fingerprint: UInt64, _ number: Int) {
    if entries == nil {
      let new = UnsafeMutablePointer<Entry>.allocate(capacity: Self.capacity)
      new.initialize(repeating: Entry(), count: Self.capacity)
      entries = new
    }
    entries?[Self.slot(fingerprint)] = Entry(fingerprint: fingerprint, number: number)
  }

  func deallocate() { entries?.deallocate() }

  @inline(__always)
  private static func slot(_ fingerprint: UInt64) -> Int {
    Int(truncatingIfNeeded: fingerprint &>> 58)
  }
}
