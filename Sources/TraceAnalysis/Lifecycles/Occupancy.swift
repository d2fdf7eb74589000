import TraceFormat

/// The number of subscriptions that are alive, over time.
struct Occupancy {
  private let starts: [Nanoseconds]
  private let ends: [Nanoseconds]

  init(_ lifecycles: some Sequence<Lifecycle>) {
    starts = lifecycles.map(\.start).sorted()
    ends = lifecycles.compactMap(\.end).sorted()
  }

  /// Returns the number of subscriptions that are alive at each of the times, which must be
  /// ascending.
  func alive(at times: [Nanoseconds]) -> [Int] {
    var (started, ended) = (0, 0)
    return times.map { time in
      while started < starts.count, starts[started] <= time { started += 1 }
      while ended < ends.count, ends[ended] <= time { ended += 1 }
      return started - ended
    }
  }

  /// The maximum number of subscriptions that are alive at once, and the first time at which they
  /// are.
  var most: (count: Int, time: Nanoseconds) {
    var (count, ended) = (0, 0)
    var most = (count: 0, time: Nanoseconds.zero)
    for start in starts {
      while ended < ends.count, ends[ended] <= start {
        count -= 1
        ended += 1
      }
      count += 1
      if count > most.count { most = (count, start) }
    }
    return most
  }
}
