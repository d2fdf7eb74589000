/// An observer's entry in a subject. `TypedObserverEntry` has the type of the events.
@_fixed_layout @usableFromInline
class ObserverEntry {
  @usableFromInline final let chain: ChainDisposable

  @inlinable
  init(_ chain: ChainDisposable) {
    self.chain = chain
  }
}

/// An entry for an observer of events of one type.
@_fixed_layout @usableFromInline
final class TypedObserverEntry<Element, Error: Swift.Error>: ObserverEntry {
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
/// costs are averages over many calls. The table does not depend on the type of the events.
/// Removing an observer therefore runs the same code for all subjects, without access to type
/// metadata.
///
/// The memory is managed manually, so that the delivering thread can iterate over it without a lock
/// and without counting references. The owner ensures that the table does not change in the
/// meantime.
@usableFromInline
struct ObserverTable {
  @usableFromInline
  struct Slot {
    @usableFromInline let key: Int
    // Nil after the observer was removed.
    @usableFromInline var entry: Unmanaged<ObserverEntry>?
  }

  /// The entries at one moment.
  @frozen @usableFromInline
  struct Slice {
    @usableFromInline let start: UnsafeMutablePointer<Slot>?
    @usableFromInline let count: Int

    @inlinable
    @inline(__always)
    init(start: UnsafeMutablePointer<Slot>?, count: Int) {
      self.start = start
      self.count = count
    }

    /// Returns the entries whose keys are at most `key`. Takes one step for each newer entry.
    @inlinable
    func through(_ key: Int) -> Slice {
      guard let start else { return self }
      var count = count
      while count > 0, start[count - 1].key > key { count -= 1 }
      return Slice(start: start, count: count)
    }

    /// Calls `body` for each remaining observer.
    @inlinable
    @inline(__always)
    func forEach(_ body: (ObserverEntry) -> Void) {
      guard let start else { return }
      for index in 0..<count {
        start[index].entry?._withUnsafeGuaranteedRef(body)
      }
    }
  }

  @usableFromInline var slots: UnsafeMutablePointer<Slot>?
  @usableFromInline var count = 0
  private var capacity = 0
  private var goneCount = 0

  init() {}

  @inlinable
  @inline(__always)
  var slice: Slice { Slice(start: slots, count: count) }

  /// Adds an observer. Each key must be greater than the one before it.
  mutating func add(_ entry: ObserverEntry, key: Int) {
    let slots = count == capacity ? grow() : self.slots ?? grow()
    (slots + count).initialize(to: Slot(key: key, entry: .passRetained(entry)))
    count += 1
  }

  private mutating func grow() -> UnsafeMutablePointer<Slot> {
    capacity = max(2, capacity * 2)
    let larger = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
    if let slots {
      larger.moveInitialize(from: slots, count: count)
      slots.deallocate()
    }
    slots = larger
    return larger
  }

  /// Removes an observer and returns it, so that it is freed without the lock.
  mutating func remove(_ key: Int) -> ObserverEntry? {
    guard let slots, count > 0 else { return nil }
    var low = 0
    var high = count
    if slots[count - 1].key == key {
      low = count - 1
    } else {
      while low < high {
        let middle = (low + high) / 2
        if slots[middle].key < key { low = middle + 1 } else { high = middle }
      }
    }
    guard low < count, slots[low].key == key, let entry = slots[low].entry else { return nil }
    slots[low].entry = nil
    goneCount += 1
    while count > 0, slots[count - 1].entry == nil {
      count -= 1
      goneCount -= 1
    }
    if goneCount * 2 > count { compact(slots) }
    return entry.takeRetainedValue()
  }

  private mutating func compact(_ slots: UnsafeMutablePointer<Slot>) {
    var kept = 0
    for index in 0..<count where slots[index].entry != nil {
      slots[kept] = slots[index]
      kept += 1
    }
    count = kept
    goneCount = 0
  }

  /// Removes all observers and returns them, so that they are freed without the lock.
  mutating func removeAll() -> [ObserverEntry] {
    var entries: [ObserverEntry] = []
    guard let slots else { return entries }
    for index in 0..<count {
      if let entry = slots[index].entry { entries.append(entry.takeRetainedValue()) }
    }
    slots.deallocate()
    self.slots = nil
    count = 0
    capacity = 0
    goneCount = 0
    return entries
  }
}

extension ObserverEntry: PlaysRole {
  package static var objectRole: ObjectRole { .entry }
}

/// The layout of the table of observers, which manages its memory manually.
package enum ObserverTableLayout {
  package static var type: Any.Type { ObserverTable.self }
  /// The offset of the address of the slots, in bytes.
  package static var slots: Int { MemoryLayout<ObserverTable>.offset(of: \.slots) ?? 0 }
  /// The offset of the number of slots, in bytes.
  package static var count: Int { MemoryLayout<ObserverTable>.offset(of: \.count) ?? 0 }
  package static var slotSize: Int { MemoryLayout<ObserverTable.Slot>.stride }
  /// The offset of the observer's entry in a slot, in bytes.
  package static var entry: Int { MemoryLayout<ObserverTable.Slot>.offset(of: \.entry) ?? 0 }
}
