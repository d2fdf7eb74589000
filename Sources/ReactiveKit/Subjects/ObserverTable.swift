/// An observer's entry in a subject. `TypedObserverPlace` knows the type of the events.
@usableFromInline
package class ObserverEntry {
  @usableFromInline final let chain: ChainDisposable

  @inlinable
  init(_ chain: ChainDisposable) {
    self.chain = chain
  }
}

/// An entry for an observer of events of one type.
@usableFromInline
package final class TypedObserverPlace<Element, Error: Swift.Error>: ObserverEntry {
  @usableFromInline let observer: Observer<Element, Error>

  @inlinable
  init(_ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable) {
    self.observer = observer
    super.init(chain)
  }
}

/// The observers of a subject in the order of their arrival, each with a number.
///
/// Adding an observer takes constant time. Removing one takes the time of a binary search. Both
/// costs are averages over many calls. The table does not know the type of the events. Removing an
/// observer therefore runs the same code for all subjects, without access to type metadata.
///
/// The memory is managed by hand, so that the delivering thread can go over it without a lock and
/// without counting references. The owner ensures that the table does not change in the meantime.
@usableFromInline
struct ObserverTable {
  @usableFromInline
  struct Entry {
    @usableFromInline let key: Int
    // Nil once the observer is gone.
    @usableFromInline var place: Unmanaged<ObserverEntry>?
  }

  /// The entries at one moment.
  @usableFromInline
  struct Slice {
    @usableFromInline let start: UnsafeMutablePointer<Entry>?
    @usableFromInline let count: Int

    @inlinable
    @inline(__always)
    init(start: UnsafeMutablePointer<Entry>?, count: Int) {
      self.start = start
      self.count = count
    }

    /// Calls `body` for each remaining observer.
    @inlinable
    @inline(__always)
    func forEach(_ body: (ObserverEntry) -> Void) {
      guard let start else { return }
      for index in 0..<count {
        start[index].place?._withUnsafeGuaranteedRef(body)
      }
    }
  }

  @usableFromInline var entries: UnsafeMutablePointer<Entry>?
  @usableFromInline var count = 0
  private var capacity = 0
  private var goneCount = 0

  init() {}

  @inlinable
  @inline(__always)
  var slice: Slice { Slice(start: entries, count: count) }

  /// Adds an observer. Each key must be greater than the one before it.
  mutating func add(_ place: ObserverEntry, key: Int) {
    let entries = count == capacity ? grow() : self.entries ?? grow()
    (entries + count).initialize(to: Entry(key: key, place: .passRetained(place)))
    count += 1
  }

  private mutating func grow() -> UnsafeMutablePointer<Entry> {
    capacity = max(2, capacity * 2)
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    if let entries {
      larger.moveInitialize(from: entries, count: count)
      entries.deallocate()
    }
    entries = larger
    return larger
  }

  /// Removes an observer and returns it, so that it is freed without the lock.
  mutating func remove(_ key: Int) -> ObserverEntry? {
    guard let entries, count > 0 else { return nil }
    var low = 0
    var high = count
    if entries[count - 1].key == key {
      low = count - 1
    } else {
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].key < key { low = middle + 1 } else { high = middle }
      }
    }
    guard low < count, entries[low].key == key, let place = entries[low].place else { return nil }
    entries[low].place = nil
    goneCount += 1
    while count > 0, entries[count - 1].place == nil {
      count -= 1
      goneCount -= 1
    }
    if goneCount * 2 > count { compact(entries) }
    return place.takeRetainedValue()
  }

  private mutating func compact(_ entries: UnsafeMutablePointer<Entry>) {
    var kept = 0
    for index in 0..<count where entries[index].place != nil {
      entries[kept] = entries[index]
      kept += 1
    }
    count = kept
    goneCount = 0
  }

  /// Removes all observers and returns them, so that they are freed without the lock.
  mutating func removeAll() -> [ObserverEntry] {
    var places: [ObserverEntry] = []
    guard let entries else { return places }
    for index in 0..<count {
      if let place = entries[index].place { places.append(place.takeRetainedValue()) }
    }
    entries.deallocate()
    self.entries = nil
    count = 0
    capacity = 0
    goneCount = 0
    return places
  }
}
