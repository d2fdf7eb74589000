import CRuntime.Scanning
import TraceFormat

/// The lifecycles of a log or of several.
///
/// The part that changes with each element is stored separately from the part that does not, so
/// that elements and rules touch only half of the memory. Copies share their memory until one of
/// them changes.
///
/// `@unchecked Sendable`: a list changes only memory that no other list has.
package struct LifecycleList: @unchecked Sendable {
  package private(set) var count = 0
  private var capacity = 0
  /// The memory; nil for an empty list.
  private var columns: Columns?
  // The addresses are also stored here, because reading them from an object takes longer.
  private var activities = UnsafeMutableBufferPointer<Activity>(start: nil, count: 0)
  private var origins = UnsafeMutableBufferPointer<Origin>(start: nil, count: 0)

  init() {}

  private final class Columns {
    var activities: GrowingColumn<Activity>
    var origins: GrowingColumn<Origin>

    init(capacity: Int) {
      activities = GrowingColumn(capacity: capacity)
      origins = GrowingColumn(capacity: capacity)
    }
  }

  /// Makes sure that no other list has the memory.
  @inline(__always)
  private mutating func own() {
    if !isKnownUniquelyReferenced(&columns) { copy() }
  }

  @inline(never)
  private mutating func copy() {
    let copy = Columns(capacity: count)
    for index in 0..<count {
      copy.activities.base[index] = activities[index]
      copy.origins.base[index] = origins[index]
    }
    take(copy)
  }

  private mutating func take(_ columns: Columns) {
    capacity = Swift.min(columns.activities.capacity, columns.origins.capacity)
    activities = UnsafeMutableBufferPointer(start: columns.activities.base, count: capacity)
    origins = UnsafeMutableBufferPointer(start: columns.origins.base, count: capacity)
    self.columns = columns
  }

  @inline(never)
  private mutating func grow() {
    guard let columns else { return }
    if columns.activities.capacity == capacity { columns.activities.grow() }
    if columns.origins.capacity <= capacity { columns.origins.grow() }
    take(columns)
  }

  @inline(__always)
  private func check(_ index: Int) {
    precondition(index >= 0 && index < count, "The index is out of range.")
  }

  mutating func append(_ lifecycle: Lifecycle) {
    own()
    while count >= capacity { grow() }
    activities[count] = lifecycle.activity
    origins[count] = lifecycle.origin
    count += 1
  }

  mutating func append(contentsOf others: LifecycleList) {
    guard count > 0 else { return self = others }
    for lifecycle in others { append(lifecycle) }
  }

  /// Begins to load the part of a lifecycle that changes with each element.
  @inline(__always)
  func prefetch(_ index: Int) {
    guard index < count, let base = activities.baseAddress else { return }
    analysis_prefetch(base + index)
  }

  /// Begins to load a whole lifecycle, which is in three cache lines.
  @inline(__always)
  func prefetchWhole(_ index: Int) {
    guard index < count, let origin = origins.baseAddress else { return }
    prefetchLife(index)
    analysis_prefetch(UnsafeRawPointer(origin + index) + 64)
  }

  /// Begins to load the bytes of a lifecycle that its life span needs.
  @inline(__always)
  func prefetchLife(_ index: Int) {
    guard index < count, let activity = activities.baseAddress, let origin = origins.baseAddress
    else { return }
    analysis_prefetch(activity + index)
    analysis_prefetch(origin + index)
  }

  /// Adds an element to a subscription.
  @inline(__always)
  mutating func add(_ element: Activity.Element, at index: Int) {
    own()
    check(index)
    activities[index].add(element, &origins[index])
  }

  /// Notes an event, without copying the lifecycle.
  @inline(__always)
  mutating func happen(
    _ kind: LogFormat.Event, _ time: Nanoseconds, _ location: TraceRecord.Location, at index: Int
  ) {
    own()
    check(index)
    activities[index].happen(kind, time, location, &origins[index])
  }

  /// Notes the end of a subscription, without copying the lifecycle.
  @inline(__always)
  mutating func finish(_ state: Lifecycle.State, _ time: Nanoseconds, at index: Int) {
    own()
    check(index)
    activities[index].finish(state, time, &origins[index])
  }

  /// Notes the beginning or the end of a wait. Only tasks wait, so the subscription is one even if
  /// its beginning isn't in the log.
  @inline(__always)
  mutating func noteWait(
    _ kind: LogFormat.Event, _ time: Nanoseconds, _ location: TraceRecord.Location, at index: Int
  ) {
    happen(kind, time, location, at: index)
    activities[index].traits.insert(.isTask)
  }

  /// Returns the indices of the lifecycles whose part that changes with each element meets a
  /// condition, without reading the other part.
  @inline(__always)
  func positions(where isWanted: (Activity) -> Bool) -> [Int] {
    (0..<count).filter { isWanted(activities[$0]) }
  }

  /// Returns the number of lifecycles in a range whose part that changes with each element meets a
  /// condition, without reading the other part.
  @inline(__always)
  func count(in range: Range<Int>, where isWanted: (Activity) -> Bool) -> Int {
    range.reduce(0) { $0 + (isWanted(activities[$1]) ? 1 : 0) }
  }

  /// Returns the part of a lifecycle that does not change after the beginning, without reading the
  /// other one.
  @inline(__always)
  func origin(at index: Int) -> Origin {
    check(index)
    return origins[index]
  }

  /// Returns the part of a lifecycle that changes with each element, without reading the other one.
  @inline(__always)
  func activity(at index: Int) -> Activity {
    check(index)
    return activities[index]
  }
}

extension LifecycleList: RandomAccessCollection, MutableCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(index: Int) -> Lifecycle {
    @inline(__always)
    get {
      check(index)
      return Lifecycle(activities[index], origins[index])
    }
    set {
      own()
      check(index)
      activities[index] = newValue.activity
      origins[index] = newValue.origin
    }
  }
}
