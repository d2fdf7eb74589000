import SwiftRuntime
import Synchronization
import SystemLibrary

/// The plans of all types whose values were written so far.
///
/// Finding a plan doesn't take a lock, because elements can be sent from signal handlers and from
/// forked children. The table never shrinks. The values of a type that doesn't fit are written with
/// `String(describing:)`.
package final class PlanTable: Sendable {
  package static let shared = PlanTable()

  private static let probes = 32

  /// The addresses of a type and of its plan.
  private struct Entry: ~Copyable {
    let type = Atomic<UInt>(0)
    let plan = Atomic<UInt>(0)
  }

  private struct Making {
    /// A Boolean value that becomes true when a type doesn't fit into the table.
    var isFull = false
    /// The plans of types that don't fit into the table. Other plans can use them.
    var unplaced: [UInt] = []
  }

  private let entries: UInt
  private let mask: Int
  private let making = BlockingGuarded(Making())

  /// Creates a table for `capacity` types, a power of two. Each entry takes 16 bytes, but pages
  /// without an entry don't take memory. The table is never deallocated.
  init(capacity: Int = 1 << 14) {
    mask = capacity - 1
    // Zeros are entries without a type.
    let memory = calloc(capacity, MemoryLayout<Entry>.stride)
    entries = UInt(bitPattern: memory)
  }

  /// Returns the plan of a type, or nil if it doesn't exist and can't be made now.
  ///
  /// - Parameter wait: Whether to wait up to a millisecond for another thread that makes plans.
  package func plan(of type: UInt, wait: Bool) -> TextPlan.Pointer? {
    find(type) ?? makeSlowPath(type, wait: wait)
  }

  /// Returns the plan of references to objects of exactly this class, or nil if it doesn't exist
  /// and can't be made now.
  func plan(ofObjects type: UInt) -> TextPlan.Pointer? {
    find(type | Self.objects) ?? makeSlowPath(type | Self.objects, wait: false)
  }

  /// The bit that marks an address of a class as the key for objects of exactly this class.
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
