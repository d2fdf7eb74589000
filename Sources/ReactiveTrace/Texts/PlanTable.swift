import Synchronization
import SystemLibrary

/// The plans of all types that were written so far.
///
/// Finding a plan takes no lock, because elements are sent from signal handlers and from children of
/// a fork, too. The table never shrinks, and a type that finds no place in it is left to the
/// language.
final class PlanTable: Sendable {
  static let shared = PlanTable()

  private static let probes = 32

  /// The addresses of a type and of its plan.
  private struct Entry: ~Copyable {
    let type = Atomic<UInt>(0)
    let plan = Atomic<UInt>(0)
  }

  private struct Making {
    /// True once a type has found no place.
    var isFull = false
    /// The plans of types that found no place. Other plans may use them.
    var unplaced: [UInt] = []
  }

  private let entries: UInt
  private let mask: Int
  private let making = BlockingGuarded(Making())

  /// Creates a table with places for `capacity` types, a power of two. Each takes 16 bytes, but the
  /// system gives no memory for pages without an entry. The memory is never freed.
  init(capacity: Int = 1 << 14) {
    mask = capacity - 1
    // Zeros are entries without a type.
    let memory = calloc(capacity, MemoryLayout<Entry>.stride)
    entries = UInt(bitPattern: memory)
  }

  /// Returns the plan of a type, or nil if there is none and none can be made now.
  ///
  /// - Parameter wait: Whether to wait up to a millisecond for another thread that makes plans.
  func plan(of type: UInt, wait: Bool) -> TextPlan.Pointer? {
    find(type) ?? makeSlowPath(type, wait: wait)
  }

  /// Returns the plan of references to objects of exactly this class, or nil if there is none and
  /// none can be made now.
  func plan(ofObjects type: UInt) -> TextPlan.Pointer? {
    find(type | Self.objects) ?? makeSlowPath(type | Self.objects, wait: false)
  }

  /// The mark of a class whose objects are meant, and not those of its subclasses.
  private static let objects: UInt = 1

  @inline(__always)
  private func find(_ type: UInt) -> TextPlan.Pointer? {
    guard entries != 0 else { return nil }
    for probe in 0..<Self.probes {
      let entry = self.entry(type, probe)
      let known = entry.pointee.type.load(ordering: .acquiring)
      if known == type {
        return TextPlan.Pointer(bitPattern: entry.pointee.plan.load(ordering: .relaxed))
      }
      if known == 0 { return nil }
    }
    return nil
  }

  @inline(__always)
  private func entry(_ type: UInt, _ probe: Int) -> UnsafeMutablePointer<Entry> {
    let hash = Int(truncatingIfNeeded: (type >> 3) &* 0x9E37_79B9_7F4A_7C15 >> 32)
    return UnsafeMutablePointer<Entry>(bitPattern: entries).unsafelyUnwrapped
      + (hash &+ probe) & mask
  }

  @inline(never)
  private func makeSlowPath(_ key: UInt, wait: Bool) -> TextPlan.Pointer? {
    guard !Inside.isInside else { return nil }
    let deadline = wait ? LogClock.monotonic() + 1_000_000 : 0
    return making.withLock(until: deadline) { making in
      if let known = find(key) { return known }
      guard !making.isFull else { return nil }
      var planner = TextPlanner { self.find($0) }
      let type = Metadata.type(at: key & ~Self.objects)
      if key & Self.objects == 0 {
        _ = planner.plan(type)
      } else {
        insert(key, planner.plan(ofObjects: type), &making)
      }
      for (type, plan) in planner.finished() { insert(type, plan, &making) }
      return find(key)
    } ?? nil
  }

  /// Adds a plan. Only the thread that has the lock calls this.
  private func insert(_ type: UInt, _ plan: TextPlan.Pointer, _ making: inout Making) {
    for probe in 0..<Self.probes where entries != 0 {
      let entry = self.entry(type, probe)
      guard entry.pointee.type.load(ordering: .relaxed) == 0 else { continue }
      entry.pointee.plan.store(UInt(bitPattern: plan), ordering: .relaxed)
      entry.pointee.type.store(type, ordering: .releasing)
      return
    }
    making.isFull = true
    making.unplaced.append(UInt(bitPattern: plan))
  }
}
