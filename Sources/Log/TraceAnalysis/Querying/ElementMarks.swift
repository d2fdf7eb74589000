package import TraceFormat

/// The times of the elements of some subscriptions, in no more marks than a page can hold.
///
/// Subscriptions with few elements have a mark for each element. For subscriptions with many
/// elements, the marks count the elements in equal time ranges of their lifetimes.
package struct ElementMarks: Sendable {
  package enum Marks: Sendable {
    /// The times, ascending.
    case times([Nanoseconds])
    /// The number of elements in each of the equal time ranges between two times.
    case counts([UInt32], start: Nanoseconds, end: Nanoseconds)
  }

  /// The marks in the order of the requested subscriptions.
  package let marks: [Marks]
  /// A Boolean value that indicates whether elements had to be counted.
  package let isCounted: Bool
  /// The number of elements of all subscriptions of the excerpt in each column of a scale.
  package let overview: [UInt32]

  /// Reads the files again to gather the times.
  ///
  /// - Parameters:
  ///   - members: The indices of the subscriptions in `LogAnalysis.lifecycles`.
  ///   - maxCount: The maximum number of times.
  ///   - ranges: The maximum number of time ranges, but at least one for each subscription that
  ///     is counted.
  ///   - scale: The columns of the overview.
  package init(
    _ excerpt: LogExcerpt, of members: some RandomAccessCollection<Int>, maxCount: Int, ranges: Int,
    overview scale: TimeScale
  ) throws(LogError) {
    let elements = members.map { excerpt.log.lifecycles[$0].elements }
    let share = ElementMarks.share(elements, maxCount: maxCount)
    let counted = elements.count { $0 > share }
    isCounted = counted > 0
    let each = min(ElementMarks.maxRanges, max(1, ranges / max(1, counted)))
    let gathering = try excerpt.log.scan(MarkGathering(excerpt, members, share, each, scale))
    marks = gathering.marks
    overview = gathering.overview
  }

  /// The maximum number of time ranges for one subscription, which is more than a screen can show.
  private static let maxRanges = 1000

  /// Returns the maximum number of marks for one subscription, so that all together have no more
  /// than `maxCount`, but at least one each.
  package static func share(_ elements: [Int], maxCount: Int) -> Int {
    var left = maxCount
    for (done, count) in elements.sorted().enumerated() {
      let fair = left / (elements.count - done)
      if count > fair { return max(1, fair) }
      left -= count
    }
    return .max
  }
}

/// A visitor that gathers the times of elements, or counts them.
struct MarkGathering: ElementVisitor {
  private struct Slot: Sendable {
    let start: Nanoseconds
    let end: Nanoseconds
    /// The index of the first count; nil if the subscription has a mark for each element.
    let counts: Int?
  }

  private let excerpt: LogExcerpt
  private let ranges: Int
  private var slots: [Slot] = []
  /// The slot of each subscription; -1 for subscriptions without one.
  private var slotOf: [Int32]
  private var counts: [UInt32]
  private var times: [(slot: Int32, time: Nanoseconds)] = []
  private var section = SectionCursor()
  private let scale: TimeScale
  private(set) var overview: [UInt32]

  init(
    _ excerpt: LogExcerpt, _ members: some RandomAccessCollection<Int>, _ share: Int,
    _ ranges: Int, _ scale: TimeScale
  ) {
    self.excerpt = excerpt
    self.scale = scale
    overview = Array(repeating: 0, count: scale.columns)
    self.ranges = ranges
    slotOf = Array(repeating: -1, count: excerpt.log.lifecycles.count)
    var total = 0
    for index in members {
      let lifecycle = excerpt.log.lifecycles[index]
      slotOf[index] = Int32(clamping: slots.count)
      let isCounted = lifecycle.elements > share
      slots.append(
        Slot(
          start: max(lifecycle.start, excerpt.times.start),
          end: min(
            max(excerpt.log.lastMoment(of: lifecycle), lifecycle.last.time), excerpt.times.end),
          counts: isCounted ? total : nil))
      if isCounted { total += ranges }
    }
    counts = Array(repeating: 0, count: total)
  }

  var marks: [ElementMarks.Marks] {
    var timesOf = [[Nanoseconds]](repeating: [], count: slots.count)
    for (slot, time) in times { timesOf[Int(slot)].append(time) }
    return slots.indices.map { index in
      let slot = slots[index]
      guard let first = slot.counts else { return .times(timesOf[index].sorted()) }
      return .counts(Array(counts[first..<first + ranges]), start: slot.start, end: slot.end)
    }
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    guard let (number, index) = section.subscription(moment.id, at: location, in: excerpt.log),
      excerpt.contains(index)
    else { return }
    let time = time.after(excerpt.log.logs[number].offset)
    guard excerpt.times.contains(time) else { return }
    overview[scale.column(of: time)] &+= 1
    guard slotOf[index] >= 0 else { return }
    let slot = slots[Int(slotOf[index])]
    guard let first = slot.counts else { return times.append((slotOf[index], time)) }
    let scale = TimeScale(
      start: slot.start, duration: slot.end.since(slot.start), columns: ranges)
    counts[first + scale.column(of: time)] &+= 1
  }

  mutating func append(_ next: consuming MarkGathering, lines: Int) {
    times += next.times
    for index in counts.indices { counts[index] &+= next.counts[index] }
    for index in overview.indices { overview[index] &+= next.overview[index] }
  }
}
