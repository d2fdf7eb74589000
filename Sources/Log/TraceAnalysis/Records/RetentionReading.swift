package import TraceFormat

extension Retention.Step {
  /// Creates a step from the members of a JSON object in the log. An unknown kind, such as one from
  /// a later version, becomes a step with the facts in its members.
  package init(_ members: [RetentionKey: RetentionValue]) {
    let members = StepReader(members: members)
    self.init(
      members.kind, site: members.text(.site), column: members.integer(.column),
      strength: members.word(.ref) ?? .strong)
  }
}

/// The decoder of a step's members.
private struct StepReader {
  let members: [RetentionKey: RetentionValue]

  func text(_ key: RetentionKey) -> String? { members.text(key) }

  func integer(_ key: RetentionKey) -> Int? { members.integer(key).flatMap { Int(exactly: $0) } }

  func word<Word: RawRepresentable>(_ key: RetentionKey) -> Word? where Word.RawValue == String {
    text(key).flatMap { Word(rawValue: $0) }
  }

  var kind: Retention.Step.Kind {
    switch word(.kind) as StepWord? {
    case .subscription: .subscription(id, lane: text(.name) ?? "")
    case .object: .object(text(.type) ?? "")
    case .closure: .closure(closure(.closure))
    case .method: .closure(closure(.methodReference))
    case .function: .closure(closure(.nestedFunction))
    case .assign: .assignment(captures: text(.holds) ?? "")
    case .task:
      .task(
        holds: text(.holds), waitsForContinuation: text(.state) == StepMembers.continuation)
    case .field: .field(field)
    case .global: .variable(variable(.global))
    case .staticMember: .variable(variable(.staticMember))
    case .library: .variable(variable(.library))
    case .variable: .variable(variable(.unknown))
    case .local: .localVariable
    case .thread: .threadValue
    case .runningThread: .runningThread
    case .threadDictionary: .threadDictionary
    case .queue: .queue(queue)
    case .group: .group
    case .delay: .delay
    case .block: .block
    case .timer: .timer
    case .omitted: .omitted(integer(.count) ?? 0)
    case nil: .text(text(.name) ?? text(.type) ?? text(.kind) ?? "", detail: text(.holds) ?? "")
    }
  }

  private var id: SubscriptionID? {
    members.integer(.sub).flatMap { SubscriptionID($0) }
  }

  private func closure(_ form: Retention.Step.Closure.Form) -> Retention.Step.Closure {
    let kind: Retention.Step.Capture.Kind =
      switch word(.way) as CaptureWord? {
      case .object: .object
      case .disposable: .disposable
      case .variable: .variable
      case .value: .value(text(.value) ?? "")
      case .collection: .collection
      case nil: .unknown
      }
    return Retention.Step.Closure(
      form, function: text(.function), code: text(.code),
      capture: Retention.Step.Capture(
        kind, type: text(.holds), name: text(.name), isSelf: integer(.isSelf) == 1,
        holdsClosure: integer(.isLoop) == 1))
  }

  private var field: Retention.Step.Field {
    let content: Retention.Step.Field.Content =
      text(.holds).map { .type($0) } ?? .other(word(.target) ?? .unknown)
    return Retention.Step.Field(
      text(.type) ?? "", text(.name), content, word(.way) ?? .other, library: text(.library))
  }

  private func variable(_ scope: Retention.Step.Variable.Scope) -> Retention.Step.Variable {
    Retention.Step.Variable(scope, text(.name) ?? "", library: text(.library))
  }

  private var queue: Retention.Step.Queue {
    let kind: Retention.Step.Queue.Kind =
      switch text(.target) {
      case StepMembers.mainQueue: .main
      case StepMembers.globalQueue: .global
      default: .labeled(text(.name) ?? "")
      }
    return Retention.Step.Queue(kind, isSuspended: text(.state) == StepMembers.suspended)
  }
}

extension Retention.Limit {
  /// Creates a limit from the keys `reason` and `searched`. Returns nil if neither is known.
  package init?(reason: String?, searched: UInt64?) {
    switch reason.flatMap({ Word(rawValue: $0) }) {
    case .observation: self = .notAnObservation
    case .time: self = .time
    case .memory: self = .memory
    case .platform: self = .platform
    case .trait: self = .trait
    case nil:
      guard let searched else { return nil }
      self = .searched(bytes: Int(clamping: searched))
    }
  }
}
