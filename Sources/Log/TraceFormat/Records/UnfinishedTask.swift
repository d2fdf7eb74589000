/// A task that hadn't ended when its log ended, as a record describes it.
package struct UnfinishedTask: Equatable, Sendable {
  /// The states of a task. The raw value is the text of the key `state`.
  package enum State: String, CaseIterable, Sendable {
    case running, enqueued, waiting, suspended
  }

  /// The things that a task waits for. The raw value is the text of the key `wait`.
  package enum Wait: String, CaseIterable, Sendable {
    case task, group, continuation, executor
  }

  /// What a task does while it waits for a continuation, if that is known. The raw value is the
  /// text of the key `pause`.
  package enum Pause: String, CaseIterable, Sendable {
    case sleep, stream, promise
  }

  /// What can let a task continue. The raw value is the text of the key `reach`.
  package enum Reach: String, CaseIterable, Sendable {
    /// The task runs, or something that can run may resume it.
    case open
    /// Nothing has the continuation.
    case lost
    /// Only the task itself keeps its continuation.
    case itself
    /// The task waits for a task that can't continue.
    case dependent
    /// The task waits for a task that waits for it, directly or through others.
    case circle
  }

  /// A call of the task.
  package struct Call: Hashable, Sendable {
    package let function: String?
    /// The file and line of the `await`, such as `Shop/Store.swift:42`.
    package let source: String?

    package init(function: String?, source: String?) {
      self.function = function
      self.source = source
    }
  }

  /// The number of the task in its process.
  package var number: UInt64
  /// The name that the program gave to the task.
  package var name: String?
  package var priority: UInt64
  package var state: State
  package var wait: Wait?
  package var pause: Pause?
  /// The tasks that it waits for: one, or the children of a group.
  package var awaited: [SubscriptionID] = []
  /// The time that the task has waited since the recorder found it canceled, in nanoseconds. Nil if
  /// the task wasn't canceled.
  package var canceled: UInt64?
  /// What can let the task continue. Nil if that isn't known.
  package var reach: Reach?
  /// Whether nothing could be overlooked in the search for what can let the task continue.
  package var isCertain = false
  /// The asynchronous calls of the program, innermost first.
  package var calls: [Call] = []

  package init(
    number: UInt64, name: String? = nil, priority: UInt64 = 0, state: State, wait: Wait? = nil
  ) {
    self.number = number
    self.name = name
    self.priority = priority
    self.state = state
    self.wait = wait
  }

  /// The maximum number of calls and of awaited tasks that are written.
  package static let maxListed = 64
}

extension UnfinishedTask {
  /// The calls as the members of the objects in the key `calls`.
  package var callMembers: [[(key: RetentionKey, value: RetentionValue)]] {
    Self.members(of: calls)
  }

  /// Returns calls as the members of the objects in the key `calls`.
  package static func members(
    of calls: [Call]
  ) -> [[(key: RetentionKey, value: RetentionValue)]] {
    calls.prefix(maxListed).compactMap { call in
      var members: [(key: RetentionKey, value: RetentionValue)] = []
      if let function = call.function { members.append((.name, .text(function))) }
      if let source = call.source { members.append((.site, .text(source))) }
      return members.isEmpty ? nil : members
    }
  }

  /// The awaited tasks as the members of the objects in the key `awaits`.
  package var awaitedMembers: [[(key: RetentionKey, value: RetentionValue)]] {
    awaited.prefix(Self.maxListed).map { [(.sub, .integer($0.number))] }
  }
}

extension UnfinishedTask.Call {
  init(_ members: [RetentionKey: RetentionValue]) {
    self.init(function: members.text(.name), source: members.text(.site))
  }
}

extension [RetentionKey: RetentionValue] {
  fileprivate func text(_ key: RetentionKey) -> String? {
    if case .text(let text)? = self[key] { text } else { nil }
  }
}
