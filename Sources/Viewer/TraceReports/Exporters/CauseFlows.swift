import TraceAnalysis
import TraceFormat

/// The arrows of `cause`. An arrow goes from the last preceding element of the causing subscription
/// to the beginning of the new subscription. If there is no such element, the arrow starts at the
/// beginning of the causing subscription.
struct CauseFlows: ExportVisitor {
  private let selection: ExportSelection
  private let isCause: [Bool]
  /// The subscriptions that each cause made, in the order of time.
  private let effects: [Int: [Int]]
  /// The latest element between the previous effect and this one, by effect.
  private var latest: [Int: Source] = [:]
  private var fromElement: [UInt64: [Int]] = [:]
  private var fromBeginning: [Int: [Int]] = [:]
  private var withSource: Set<Int> = []

  private struct Source {
    let time: Nanoseconds
    let key: UInt64
  }

  /// Creates the flows. Reads the files if any subscription has a cause.
  init(_ selection: ExportSelection) throws(LogError) {
    self.selection = selection
    let lifecycles = selection.log.lifecycles
    var isCause = [Bool](repeating: false, count: lifecycles.count)
    var effects: [Int: [Int]] = [:]
    for index in lifecycles.indices {
      guard let cause = selection.cause(of: index) else { continue }
      effects[cause, default: []].append(index)
      isCause[cause] = true
    }
    self.isCause = isCause
    self.effects = effects.mapValues { made in
      made.sorted { (lifecycles[$0].start, $0) < (lifecycles[$1].start, $1) }
    }
    guard !effects.isEmpty else { return }
    try selection.walk(&self)
    connect()
  }

  mutating func take(_ record: ExportRecord) {
    guard let index = record.index, isCause[index], case .next = record.body, record.isInWindow,
      let effect = effect(of: index, atOrAfter: record.time)
    else { return }
    if let known = latest[effect], known.time > record.time { return }
    latest[effect] = Source(time: record.time, key: Self.key(record.location))
  }

  /// Returns the subscriptions to which arrows go from an element.
  @inline(__always)
  func effects(of record: ExportRecord) -> [Int] {
    guard let index = record.index, isCause[index] else { return [] }
    return fromElement[Self.key(record.location)] ?? []
  }

  /// Returns the subscriptions to which arrows go from the beginning of a subscription.
  func effects(ofBeginning index: Int) -> [Int] {
    fromBeginning[index] ?? []
  }

  /// Reports whether an arrow ends at the beginning of a subscription.
  func hasSource(_ index: Int) -> Bool {
    withSource.contains(index)
  }

  /// Returns the first subscription that the cause made at or after a time.
  private func effect(of cause: Int, atOrAfter time: Nanoseconds) -> Int? {
    guard let made = effects[cause] else { return nil }
    let index = made.partitionPoint { selection.log.lifecycles[$0].start >= time }
    return index < made.count ? made[index] : nil
  }

  private mutating func connect() {
    for (cause, made) in effects {
      var source: Source?
      for effect in made {
        // Without an element since the previous effect, both effects have the same source.
        source = latest[effect] ?? source
        if let source {
          fromElement[source.key, default: []].append(effect)
          withSource.insert(effect)
        } else if selection.log.lifecycles[cause].start <= selection.log.lifecycles[effect].start {
          fromBeginning[cause, default: []].append(effect)
          withSource.insert(effect)
        }
      }
    }
    latest = [:]
  }

  private static func key(_ location: TraceRecord.Location) -> UInt64 {
    UInt64(truncatingIfNeeded: location.file) << 48 | UInt64(truncatingIfNeeded: location.offset)
  }
}
