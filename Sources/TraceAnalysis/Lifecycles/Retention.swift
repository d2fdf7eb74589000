package import TraceFormat

/// The reason why a subscription is still alive, as the process itself found it.
package struct Retention: Sendable, Equatable {
  package typealias Kind = LogFormat.RetentionKind

  /// One link of the chain that keeps the subscription alive. Each step holds the next one.
  package struct Step: Sendable, Equatable {
    /// The thing that holds the next step: `SearchScreen.bag`.
    package let what: String
    /// More about it, such as its type; empty if there is nothing to add.
    package let detail: String
    /// Its source location, such as `Module/File.swift:26`; `nil` if it is not known.
    package let site: String?

    package init(what: String, detail: String = "", site: String? = nil) {
      self.what = what
      self.detail = detail
      self.site = site
    }

    /// The subscription that the step is; `nil` if it is something else.
    package var subscription: SubscriptionID? {
      guard what.hasPrefix("subscription of "), detail.hasPrefix("#") else { return nil }
      return UInt64(detail.dropFirst()).flatMap { SubscriptionID($0) }
    }
  }

  package let kind: Kind
  /// A Boolean value that indicates whether a step was found only by looking for words that may be
  /// pointers.
  package let isProbable: Bool
  package let steps: [Step]
  /// The number of steps at the end that lead from the cycle to the subscription and are not on the
  /// cycle.
  package let tail: Int
  /// The index of the step to break.
  package let breakIndex: Int?
  /// The way to break it, as a sentence.
  package let advice: String?
  /// A sentence about what became of the disposable.
  package let holder: String?
  /// A sentence about the limits of the search.
  package let note: String?

  package init(
    kind: Kind, isProbable: Bool = false, steps: [Step] = [], tail: Int = 0,
    breakIndex: Int? = nil, advice: String? = nil, holder: String? = nil, note: String? = nil
  ) {
    self.kind = kind
    self.isProbable = isProbable
    self.steps = steps
    self.tail = tail
    self.breakIndex = breakIndex
    self.advice = advice
    self.holder = holder
    self.note = note
  }

  /// Creates the retention that a record describes. Figures that do not fit the path are left out.
  init(_ record: TraceRecord.Retained) {
    let steps = record.path.enumerated().map { index, what in
      let site = index < record.sites.count ? record.sites[index] : ""
      return Step(
        what: what, detail: index < record.details.count ? record.details[index] : "",
        site: site.isEmpty ? nil : site)
    }
    // A cycle has at least one step of its own. Without a step, nothing is proved.
    let hasCycle = record.kind == .cycle && !steps.isEmpty
    self.init(
      kind: hasCycle || record.kind != .cycle ? record.kind : .none,
      isProbable: record.proof == .probable && !steps.isEmpty, steps: steps,
      tail: hasCycle ? Int(min(record.tail ?? 0, UInt64(steps.count - 1))) : 0,
      breakIndex: record.breakIndex.flatMap { $0 < UInt64(steps.count) ? Int($0) : nil },
      advice: record.advice, holder: record.holder, note: record.note)
  }

  /// A Boolean value that indicates whether a retain cycle keeps the subscription alive.
  package var isCycle: Bool { kind == .cycle }

  /// The steps on the cycle; none if there is no cycle.
  package var cycle: ArraySlice<Step> { isCycle ? steps.dropLast(tail) : [] }
}

/// The latest reason of each subscription of a log, apart from the lifecycles, because only few
/// subscriptions have one.
struct RetentionTable: Sendable {
  private struct Entry: Sendable {
    let time: Nanoseconds
    let location: TraceRecord.Location
    let retention: Retention

    /// The order of the records does not depend on the order in which they are read: records of a
    /// log that grows may be read late.
    func isLater(than other: Entry) -> Bool {
      (time, location.file, location.offset)
        >= (other.time, other.location.file, other.location.offset)
    }
  }

  private var entries: [UInt64: Entry] = [:]

  mutating func note(
    _ record: TraceRecord.Retained, _ time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    let entry = Entry(time: time, location: location, retention: Retention(record))
    add(entry, of: record.id.number)
  }

  mutating func append(_ next: RetentionTable) {
    guard !entries.isEmpty else { return entries = next.entries }
    for (number, entry) in next.entries { add(entry, of: number) }
  }

  private mutating func add(_ entry: Entry, of number: UInt64) {
    if let known = entries[number], !entry.isLater(than: known) { return }
    entries[number] = entry
  }

  /// Returns the retentions by the number of the subscription.
  var all: [UInt64: Retention] { entries.mapValues(\.retention) }
}
