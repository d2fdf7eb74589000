/// The reason why a subscription is still alive, as the process found it in its own memory.
///
/// This is the only model of a retention path: the recorder makes it, the log stores it, and all
/// reports show it. It contains only facts. `RetentionWords` turns them into text.
@usableFromInline
package struct Retention: Sendable, Equatable {
  package typealias Kind = LogFormat.RetentionKind

  /// The maximum number of steps that are written. Longer paths omit some steps.
  package static let maxSteps = 64

  package var kind: Kind
  /// A Boolean value that indicates whether a step was found only by looking for words that may be
  /// pointers.
  package var isProbable: Bool
  /// The steps, each of which retains the next one. In a cycle, the last step before the tail
  /// retains the first one.
  package var steps: [Step]
  /// The number of steps at the end that lead from the cycle to the subscription and aren't on the
  /// cycle.
  package var tail: Int
  /// The index of the step to break, or nil if none stands out.
  package var breakIndex: Int?
  /// What holds the disposable of the subscription, or nil if unknown.
  package var owner: Owner?
  /// The reason why the search found nothing, or nil if it found something.
  package var limit: Limit?
  /// What the steps lead to. A log only has retentions of subscriptions.
  package var subject: Subject
  /// A Boolean value that indicates whether only local variables of the code that asks, and of its
  /// callers, were found to hold the object.
  package var isOnlyOfCaller = false
  /// The library of the subscription, or nil for ReactiveKit. The log has it in `subscribe`.
  package var library: LogFormat.StreamLibrary?

  /// The things whose retention is searched for.
  package enum Subject: Sendable {
    case subscription, task, object
  }

  /// What holds the disposable of a subscription. The raw value is the text of the key `owner`.
  package enum Owner: String, CaseIterable, Sendable {
    /// The disposable was discarded, so nothing can dispose the subscription.
    case nobody
    case bag, cancellable, serial, composite
    /// A `DeinitDisposable`.
    case deinitializing = "deinit"
    /// A task that has not ended.
    case task
  }

  /// The reason why a search found nothing.
  package enum Limit: Sendable, Equatable {
    /// Nothing was found in this many bytes of memory.
    case searched(bytes: Int)
    /// The subscription isn't an observation of a signal, so its address is unknown.
    case notAnObservation
    /// The time or the stack space ran out.
    case time
    /// The process has too little memory left for a search.
    case memory
    /// The memory of the process can't be searched.
    case platform
    /// The program was built without the trait of this package that includes the search.
    case trait

    /// The names of limits in the log. The raw value is the text of the key `reason`.
    package enum Word: String {
      case observation, time, memory, platform, trait
    }

    /// The text of the key `reason`, or nil if the limit is the memory that was searched.
    package var reason: String? {
      switch self {
      case .searched: nil
      case .notAnObservation: Word.observation.rawValue
      case .time: Word.time.rawValue
      case .memory: Word.memory.rawValue
      case .platform: Word.platform.rawValue
      case .trait: Word.trait.rawValue
      }
    }
  }

  package init(
    kind: Kind, isProbable: Bool = false, steps: [Step] = [], tail: Int = 0,
    breakIndex: Int? = nil, owner: Owner? = nil, limit: Limit? = nil,
    subject: Subject = .subscription
  ) {
    self.kind = kind
    self.isProbable = isProbable
    self.steps = steps
    self.tail = tail
    self.breakIndex = breakIndex
    self.owner = owner
    self.limit = limit
    self.subject = subject
  }

  /// Returns the retention of an object for which only a path from the code that asks was found.
  ///
  /// - Parameter steps: The steps after the local variable.
  package static func ofCaller(_ steps: [Step], limit: Limit) -> Retention {
    var retention = Retention(
      kind: .path, isProbable: true, steps: [Step(.localVariable)] + steps, limit: limit)
    retention.isOnlyOfCaller = true
    return retention
  }

  /// A Boolean value that indicates whether a retain cycle keeps the subscription alive.
  package var isCycle: Bool { kind == .cycle }

  /// The steps on the cycle. Empty if there isn't a cycle.
  package var cycle: ArraySlice<Step> { isCycle ? steps.dropLast(tail) : [] }

  /// The step to break, or nil if none stands out.
  package var breakStep: Step? { breakIndex.map { steps[$0] } }
}

extension Retention {
  /// A part of a path, for a view with room for only some of the steps.
  package enum Excerpt: Sendable, Equatable {
    case step(Int)
    /// The indices of omitted steps.
    case omitted(Range<Int>)
  }

  /// Returns the steps to show: those at both ends, the end of a cycle, and the step to break with
  /// its neighbors. Of more than two equal steps in a row, only the first is shown, and the other
  /// steps that must be.
  ///
  /// - Parameter max: The maximum number of steps that are shown without omissions, at least 12.
  ///   The excerpt has at most this number of parts.
  package func excerpt(max: Int) -> [Excerpt] {
    let isRepeated = repeatedSteps
    guard steps.count > max || isRepeated.contains(true) else {
      return steps.indices.map { .step($0) }
    }
    // Seven parts aren't at the ends: three steps at the break, the end of the cycle, three gaps.
    let ends = Swift.max(0, max - 7)
    let cycleEnd = isCycle ? steps.count - tail - 1 : 0
    var shown: [Excerpt] = []
    var next = 0
    for index in steps.indices {
      let isNearBreak = breakIndex.map { abs(index - $0) <= 1 } ?? false
      let isAtEnd = index < ends - ends / 2 || index >= steps.count - ends / 2
      let isWanted = (isAtEnd || isNearBreak || steps.count <= max) && !isRepeated[index]
      guard isWanted || index == breakIndex || index == cycleEnd else { continue }
      if index > next { shown.append(.omitted(next..<index)) }
      shown.append(.step(index))
      next = index + 1
    }
    if next < steps.count { shown.append(.omitted(next..<steps.count)) }
    return shown
  }

  /// Whether each step is the second or a later one of at least three equal steps in a row.
  private var repeatedSteps: [Bool] {
    var isRepeated = [Bool](repeating: false, count: steps.count)
    for index in steps.indices.dropFirst(2)
    where steps[index] == steps[index - 1] && steps[index - 1] == steps[index - 2] {
      isRepeated[index] = true
      isRepeated[index - 1] = true
    }
    return isRepeated
  }

  /// Returns the same path with at most `max` steps, including placeholders for the omitted steps.
  package func shortened(max: Int) -> Retention {
    guard steps.count > max || repeatedSteps.contains(true) else { return self }
    let firstOfTail = steps.count - tail
    var short = self
    (short.steps, short.tail, short.breakIndex) = ([], 0, nil)
    for part in excerpt(max: max) {
      switch part {
      case .step(let index):
        if index == breakIndex { short.breakIndex = short.steps.count }
        if index >= firstOfTail { short.tail += 1 }
        short.steps.append(steps[index])
      case .omitted(let range):
        // The end of a cycle is always shown, so all of these are on one side of it.
        if range.lowerBound >= firstOfTail { short.tail += 1 }
        short.steps.append(Step(.omitted(range.count)))
      }
    }
    return short
  }
}
