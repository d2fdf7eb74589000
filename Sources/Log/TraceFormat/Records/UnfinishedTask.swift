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
    /// The task lets others run.
    case yield
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

  /// A call of a task or a thread, or the calls that are missing in a long list.
  package struct Call: Hashable, Sendable {
    /// Whose code a function is. The raw value is the text of the key `kind`.
    package enum Origin: String, CaseIterable, Sendable {
      /// The package that is inspected.
      case user
      /// A package that it depends on.
      case dependency
      /// The system, the toolchain, and code that the compiler generated.
      case system
      /// The function of the package at which the program starts.
      case entry
      /// A function that the compiler generated for code that isn't the system's.
      case generated
    }

    package let function: String?
    /// The file and line of the `await` or the call, such as `Shop/Store.swift:42`.
    package let source: String?
    /// The path of the source file when it was compiled.
    package var path: String?
    /// The program or library, and the offset in it, such as `app+0x1a2b`.
    package var code: String?
    /// Nil if it isn't known.
    package var origin: Origin?
    /// The number of calls that are missing here; 0 for a call.
    package var missing = 0

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
  /// The type of the executor on which the task waits for its turn, such as an actor, if known.
  package var executor: String?
  /// The number that the system gave to the thread that runs the task, if known.
  package var thread: Int32?
  /// Whether the task moved on or ended during the inspection of its process.
  package var hasMoved = false
  /// The number of tasks that the record describes: this one, and those that differ from it only in
  /// their numbers.
  package var count = 1
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
  /// The members of the record `task`, except for those of its subscription.
  ///
  /// - Parameter maxCount: The maximum number of calls and of awaited tasks.
  package func members(
    maxCount: Int = maxListed
  ) -> [(key: LogFormat.Key, value: RecordValue)] {
    var members: [(key: LogFormat.Key, value: RecordValue)] = []
    func integer(_ key: LogFormat.Key, _ value: UInt64?) {
      if let value { members.append((key, .integer(value))) }
    }
    func text(_ key: LogFormat.Key, _ value: String?) {
      if let value { members.append((key, .text(value))) }
    }
    func objects(_ key: LogFormat.Key, _ value: [RecordObject]) {
      if !value.isEmpty { members.append((key, .objects(value))) }
    }
    integer(.task, number)
    integer(.thread, thread.map { UInt64(max(0, $0)) })
    text(.name, name)
    text(.on, executor)
    integer(.priority, priority)
    text(.state, state.rawValue)
    text(.wait, wait?.rawValue)
    text(.pause, pause?.rawValue)
    objects(.awaits, awaited.prefix(maxCount).map { [(.sub, .integer($0.number))] })
    integer(.canceled, canceled)
    text(.reach, reach?.rawValue)
    let proof: LogFormat.RetentionProof = isCertain ? .certain : .probable
    text(.proof, reach.map { _ in proof.rawValue })
    objects(.calls, Self.members(of: calls, maxCount: maxCount))
    integer(.moved, hasMoved ? 1 : nil)
    integer(.count, count > 1 ? UInt64(count) : nil)
    return members
  }

  /// Returns calls as the members of the objects in the key `calls`.
  package static func members(
    of calls: [Call], maxCount: Int = maxListed
  ) -> [RecordObject] {
    calls.prefix(maxCount).compactMap { call in
      var object: RecordObject = []
      func text(_ key: RetentionKey, _ value: String?) {
        if let value { object.append((key, .text(value))) }
      }
      text(.name, call.function)
      text(.site, call.source)
      text(.path, call.path)
      text(.code, call.code)
      text(.kind, call.origin?.rawValue)
      if call.missing > 0 { object.append((.count, .integer(UInt64(call.missing)))) }
      return object.isEmpty ? nil : object
    }
  }
}
