import TraceFormat

/// A visitor that gathers the elements of chosen subscriptions, in memory that does not grow with
/// their number.
///
/// It puts elements into time steps. The steps double in length whenever there are more steps with
/// elements than allowed. Therefore, the steps are the shortest possible ones, regardless of where
/// the file was divided.
struct MarbleCollector: MergingVisitor {
  private struct Key: Hashable {
    let row: Int32
    let step: UInt64

    /// Returns the key for steps that were doubled `shift` times.
    func coarser(by shift: UInt64) -> Key { Key(row: row, step: step >> shift) }
  }

  private let log: LogAnalysis
  private let window: TimeRange
  private let maxCount: Int
  /// The row of each subscription; -1 for subscriptions without one.
  private let rowOf: [Int32]
  private var section = SectionCursor()
  private var shift: UInt64 = 0
  private var marbles: [Key: Marble] = [:]
  private var errors: [Int32: String] = [:]

  /// Creates a collector.
  ///
  /// - Parameters:
  ///   - rows: The subscriptions, as indices in `LogAnalysis.lifecycles`.
  ///   - maxCount: The maximum number of marbles for all rows together.
  init(_ log: LogAnalysis, rows: [Int], window: TimeRange, maxCount: Int) {
    self.log = log
    self.window = window
    self.maxCount = max(maxCount, rows.count)
    var rowOf = [Int32](repeating: -1, count: log.lifecycles.count)
    for (row, index) in rows.enumerated() { rowOf[index] = Int32(clamping: row) }
    self.rowOf = rowOf
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    switch record.body {
    case .next(let moment):
      visitElement(moment, at: record.time, location)
    case .failed(let moment):
      guard let row = row(of: moment, location)?.row, errors[row] == nil else { return }
      errors[row] = moment.text.map(Marble.beginning)
    default: break
    }
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    guard let (row, log) = row(of: moment, location) else { return }
    let time = time.after(self.log.logs[log].offset)
    guard window.contains(time) else { return }
    marbles[Key(row: row, step: time.count >> shift), default: Marble()].add(time, moment.text)
    if marbles.count > maxCount { coarsen() }
  }

  private mutating func row(
    of moment: TraceRecord.Moment, _ location: TraceRecord.Location
  ) -> (row: Int32, log: Int)? {
    guard let (number, index) = section.subscription(moment.id, at: location, in: log),
      rowOf[index] >= 0
    else { return nil }
    return (rowOf[index], number)
  }

  mutating func append(_ next: consuming MarbleCollector, lines: Int) {
    errors.merge(next.errors) { first, _ in first }
    if next.shift > shift { lengthen(to: next.shift) }
    let difference = shift - next.shift
    for (key, marble) in next.marbles {
      marbles[key.coarser(by: difference), default: Marble()].append(marble)
    }
    if marbles.count > maxCount { coarsen() }
  }

  /// Chooses the shortest steps of which there are not too many. If a step covers all times, each
  /// row has one step.
  private mutating func coarsen() {
    let keys = marbles.keys.sorted { ($0.row, $0.step) < ($1.row, $1.step) }
    // Neighbors become one when the steps have doubled so often that no bit of their numbers
    // differs.
    var joined = [Int](repeating: 0, count: UInt64.bitWidth + 1)
    for (left, right) in zip(keys, keys.dropFirst()) where left.row == right.row {
      joined[UInt64.bitWidth - (left.step ^ right.step).leadingZeroBitCount] += 1
    }
    var count = keys.count
    var longer = 0
    while count > maxCount, longer < UInt64.bitWidth {
      longer += 1
      count -= joined[longer]
    }
    lengthen(to: shift + UInt64(longer))
  }

  private mutating func lengthen(to longer: UInt64) {
    let difference = longer - shift
    shift = longer
    var old: [Key: Marble] = [:]
    swap(&old, &marbles)
    // The order does not matter, because steps that become one have no time in common.
    for (key, marble) in old {
      marbles[key.coarser(by: difference), default: Marble()].append(marble)
    }
  }

  /// Returns the marbles of each row, in the order of their times.
  func rows(_ count: Int) -> [[Marble]] {
    var rows = [[Marble]](repeating: [], count: count)
    for (key, marble) in marbles { rows[Int(key.row)].append(marble) }
    return rows.map { marbles in marbles.sorted { $0.time < $1.time } }
  }

  /// Returns the error that the subscription of a row failed with.
  func error(row: Int) -> String? { errors[Int32(clamping: row)] }
}
