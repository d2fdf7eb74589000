import Synchronization

/// The plans of all types that were written so far.
///
/// Finding a plan takes no lock, because elements are sent from signal handlers and from children of
/// a fork, too. The table never shrinks, and a type that finds no place in it is left to the
/// language.
final class PlanTable: Sendable {
  static let shared = PlanTable()

  private static let capacity = 1 << 12
  private static let probes = 32

  /// The addresses of a type and of its plan.
  private struct Entry: ~Copyable {
    let type = Atomic<UInt>(0)
    let plan = Atomic<UInt>(0)
  }

  private let entries: UInt
  /// True once a type has found no place.
  private let isFull = BlockingGuarded(false)

  init() {
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity { (memory + index).initialize(to: Entry()) }
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
    let hash = Int(truncatingIfNeeded: (type >> 3) &* 0x9E37_79B9_7F4A_7C15 >> 52)
    let index = (hash &+ probe) & (Self.capacity - 1)
    return UnsafeMutablePointer<Entry>(bitPattern: entries).unsafelyUnwrapped + index
  }

  @inline(never)
  private func makeSlowPath(_ key: UInt, wait: Bool) -> TextPlan.Pointer? {
    guard !Inside.isInside else { return nil }
    let deadline = wait ? LogClock.monotonic() + 1_000_000 : 0
    return isFull.withLock(until: deadline) { isFull in
      if let known = find(key) { return known }
      guard !isFull else { return nil }
      var planner = TextPlanner { self.find($0) }
      let type = Metadata.type(at: key & ~Self.objects)
      if key & Self.objects == 0 {
        _ = planner.plan(type)
      } else {
        insert(key, planner.plan(ofObjects: type))
      }
      for (type, plan) in planner.finished() { insert(type, plan) }
      let plan = find(key)
      isFull = plan == nil
      return plan
    } ?? nil
  }

  /// Adds a plan. Only the thread that has the lock calls this.
  private func insert(_ type: UInt, _ plan: TextPlan.Pointer) {
    for probe in 0..<Self.probes {
      let entry = self.entry(type, probe)
      guard entry.pointee.type.load(ordering: .relaxed) == 0 else { continue }
      entry.pointee.plan.store(UInt(bitPattern: plan), ordering: .relaxed)
      entry.pointee.type.store(type, ordering: .releasing)
      return
    }
  }
}
