import TraceFormat

/// The peak rate of a subscription's elements: the most consecutive elements in one second of the
/// log's clock.
///
/// It keeps the first and the last second with consecutive elements, so that parts of a file can be
/// merged regardless of where the file was divided.
struct PeakRate: Equatable, Sendable {
  /// Consecutive elements in one second. A count of 0 means that there is no such run.
  struct Run: Equatable, Sendable {
    /// The second of the run, counted from the log's start.
    var second: UInt32 = 0
    var count: UInt32 = 0
  }

  /// The runs that change with the elements.
  struct Recent: Equatable, Sendable {
    fileprivate(set) var longest = Run()
    fileprivate(set) var last = Run()

    var isEmpty: Bool { last.count == 0 }

    /// The most consecutive elements in one second.
    var count: Int { Int(longest.count) }

    /// Counts an element, unless it begins another run.
    @inline(__always)
    mutating func extend(_ second: UInt32) -> Bool {
      guard second == last.second, last.count > 0 else { return false }
      last.count &+= 1
      if last.count > longest.count { longest = last }
      return true
    }
  }

  private(set) var recent: Recent
  /// The first run, which is known from the second run on.
  private(set) var first: Run

  init() {
    self.init(Recent(), first: Run())
  }

  /// Creates the rate of one element.
  init(firstElementAt time: Nanoseconds) {
    self.init()
    countElement(at: time)
    first = Run()
  }

  init(_ recent: Recent, first: Run) {
    self.recent = recent
    self.first = first
  }

  /// The most consecutive elements in one second.
  var count: Int { recent.count }
  /// The second in which they came, counted from the log's start.
  var second: Int { Int(recent.longest.second) }

  private var isEmpty: Bool { recent.isEmpty }

  @inline(__always)
  static func second(of time: Nanoseconds) -> UInt32 {
    UInt32(truncatingIfNeeded: time.count / 1_000_000_000)
  }

  mutating func countElement(at time: Nanoseconds) {
    let second = Self.second(of: time)
    guard !recent.extend(second) else { return }
    begin(Run(second: second, count: 1))
    compare(recent.last)
  }

  private mutating func begin(_ run: Run) {
    if first.count == 0 { first = recent.last }
    recent.last = run
  }

  private mutating func compare(_ run: Run) {
    if run.count > recent.longest.count { recent.longest = run }
  }

  /// Adds the elements of the following part.
  mutating func append(_ next: PeakRate) {
    guard !next.isEmpty else { return }
    guard !isEmpty else { return self = next }
    let hasOneRun = next.first.count == 0
    let nextFirst = hasOneRun ? next.recent.last : next.first
    if nextFirst.second == recent.last.second {
      recent.last.count &+= nextFirst.count
    } else {
      begin(nextFirst)
    }
    compare(recent.last)
    if !hasOneRun { begin(next.recent.last) }
    compare(next.recent.longest)
  }
}
