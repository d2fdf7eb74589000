package import TraceFormat

/// When the elements of some subscriptions came, in no more marks than a page can hold.
///
/// Subscriptions with few elements have a mark for each; the elements of those with many are counted in equal stretches of
/// their lives.
package struct ElementMarks: Sendable {
  package enum Marks: Sendable {
    /// Ascending.
    case times([Nanoseconds])
    /// How many fall into each of the equal stretches between two times.
    case counts([UInt32], start: Nanoseconds, end: Nanoseconds)
  }

  /// In the order of the subscriptions that were asked for.
  package let marks: [Marks]
  /// Whether elements had to be counted.
  package let isCounted: Bool

  /// Reads the files again.
  ///
  /// - Parameters:
  ///   - members: places in `LogAnalysis.lifecycles`.
  ///   - most: how many times there may be.
  ///   - stretches: how many stretches there may be, but for one each.
  package init(
    _ excerpt: LogExcerpt, of members: [Int], most: Int, stretches: Int
  ) throws(LogError) {
    let elements = members.map { excerpt.log.lifecycles[$0].elements }
    let share = ElementMarks.share(elements, most: most)
    let counted = elements.count { $0 > share }
    isCounted = counted > 0
    let each = min(ElementMarks.mostStretches, max(1, stretches / max(1, counted)))
    marks = try excerpt.log.scan(MarkGathering(excerpt, members, share, each)).marks
  }

  /// More than a screen can show.
  private static let mostStretches = 1000

  /// The most marks that one may have, so that all together have no more than `most`, but for one each.
  static func share(_ elements: [Int], most: Int) -> Int {
    var left = most
    for (done, count) in elements.sorted().enumerated() {
      let fair = left / (elements.count - done)
      if count > fair { return max(1, fair) }
      left -= count
    }
    return .max
  }
}

/// Gathers the times of elements, or counts them.
struct MarkGathering: MergingVisitor {
  private struct Slot: Sendable {
    let start: Nanoseconds
    let end: Nanoseconds
    /// Where its counts begin; nil where it has a mark for each element.
    let counts: Int?
  }

  private let excerpt: LogExcerpt
  private let stretches: Int
  private var slots: [Slot] = []
  /// The slot of each subscription; -1 for those without one.
  private var slotOf: [Int32]
  private var counts: [UInt32]
  private var times: [(slot: Int32, time: Nanoseconds)] = []
  private var section = SectionCursor()

  init(_ excerpt: LogExcerpt, _ members: [Int], _ share: Int, _ stretches: Int) {
    self.excerpt = excerpt
    self.stretches = stretches
    slotOf = Array(repeating: -1, count: excerpt.log.lifecycles.count)
    var total = 0
    for index in members {
      let lifecycle = excerpt.log.lifecycles[index]
      slotOf[index] = Int32(clamping: slots.count)
      let isCounted = lifecycle.elements > share
      slots.append(
        Slot(
          start: max(lifecycle.start, excerpt.start),
          end: min(max(excerpt.log.lastMoment(of: lifecycle), lifecycle.last.time), excerpt.end),
          counts: isCounted ? total : nil))
      if isCounted { total += stretches }
    }
    counts = Array(repeating: 0, count: total)
  }

  var marks: [ElementMarks.Marks] {
    var timesOf = [[Nanoseconds]](repeating: [], count: slots.count)
    for (slot, time) in times { timesOf[Int(slot)].append(time) }
    return slots.indices.map { index in
      let slot = slots[index]
      guard let first = slot.counts else { return .times(timesOf[index].sorted()) }
      return .counts(Array(counts[first..<first + stretches]), start: slot.start, end: slot.end)
    }
  }

  mutating func visit(_ record: TraceRecord, at place: TraceRecord.Place) {
    if case .next(let moment) = record.body { visitElement(moment, at: record.time, place) }
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ place: TraceRecord.Place
  ) {
    guard let number = section.log(of: place, in: excerpt.log),
      let index = excerpt.log.index(of: moment.id, log: number), slotOf[index] >= 0
    else { return }
    let time = time.after(excerpt.log.logs[number].offset)
    guard time >= excerpt.start, time <= excerpt.end else { return }
    let slot = slots[Int(slotOf[index])]
    guard let first = slot.counts else { return times.append((slotOf[index], time)) }
    let scale = TimeScale(
      start: slot.start, duration: slot.end.since(slot.start), columns: stretches)
    counts[first + scale.column(of: time)] &+= 1
  }

  mutating func append(_ next: consuming MarkGathering, lines: Int) {
    times += next.times
    for index in counts.indices { counts[index] &+= next.counts[index] }
  }
}
