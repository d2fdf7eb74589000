package import TraceFormat

extension Trace {
  /// The reason why a subscription, a task or an object is still alive, as found in the memory of
  /// the process.
  public struct Explanation: Sendable, Equatable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Kind: Sendable, Equatable {
      /// A retain cycle keeps it alive.
      case cycle
      /// Something leads to it that isn't an object: a global variable, a Task, or the stack of a
      /// thread.
      case path
      /// Nothing was found that holds it.
      case none
      /// The memory of this process can't be searched, or the program was built without the trait
      /// `Causes` of the package. The ``note`` says which.
      case unsupported
    }

    package let retention: Retention

    package init(_ retention: Retention) { self.retention = retention }

    public var kind: Kind {
      switch retention.kind {
      case .cycle: .cycle
      case .path: .path
      case .none: .none
      case .unsupported: .unsupported
      }
    }

    /// A Boolean value that indicates whether a step was found only by looking at words that may be
    /// references.
    public var isProbable: Bool { retention.isProbable }
    /// A Boolean value that indicates whether nothing else was found than local variables of the
    /// code that asks and of its callers, which includes the callers of an asynchronous function.
    /// ``note`` has the limits of the search.
    public var isOnlyOfCaller: Bool { retention.isOnlyOfCaller }
    /// The steps, each of which holds the next one. In a cycle, the last step before the tail holds
    /// the first one.
    public var steps: [Step] { retention.steps.map { Step($0) } }
    /// The number of steps at the end that lead from the cycle to the subscription or the object.
    public var tail: Int { retention.tail }
    /// The index of the step to break, or nil if none stands out.
    public var breakIndex: Int? { retention.breakIndex }
    /// The remedy, in a sentence or two.
    public var advice: String? { RetentionWords.remedy(retention)?.text }
    /// A sentence about what can dispose the subscription.
    public var holder: String? { RetentionWords.holder(retention) }
    /// The limits of the search, in a sentence.
    public var note: String? { RetentionWords.note(retention) }

    /// Multiline text: what was found, the steps, and what to do.
    public var description: String { RetentionWords.text(retention) }
  }
}

extension Trace.Explanation {
  /// A step of a path: something that holds the next step.
  public struct Step: Sendable, Equatable {
    /// The kinds of steps.
    public enum Kind: Sendable, Equatable {
      case subscription
      /// The object that was asked about, at the end of a path.
      case object
      case closure
      /// A method or a nested function that is used as a closure.
      case functionReference
      /// The closure that `assign(to:on:)` makes.
      case assignment
      case task
      /// A stored property of an object.
      case field
      case global
      case staticVariable
      case localVariable
      /// A thread-specific value.
      case threadValue
      /// Something that retains itself while it waits: a queue or group with work, or a timer.
      case waiting
      /// Steps that a long path leaves out.
      case omitted
    }

    let step: Retention.Step

    init(_ step: Retention.Step) { self.step = step }

    public var kind: Kind {
      switch step.kind {
      case .subscription: .subscription
      case .object: .object
      case .closure(let closure): closure.form == .closure ? .closure : .functionReference
      case .assignment: .assignment
      case .task: .task
      case .field: .field
      case .variable(let variable): variable.scope == .staticMember ? .staticVariable : .global
      case .localVariable: .localVariable
      case .threadValue, .threadDictionary, .runningThread: .threadValue
      case .queue, .group, .delay, .block, .timer: .waiting
      case .omitted, .text: .omitted
      }
    }

    /// The thing that holds the next step, such as `closure at SearchScreen.swift:26` or
    /// `SearchScreen.bag`.
    public var what: String { RetentionWords.name(of: step) }
    /// Details about it, such as `captures self strongly`. It may be empty.
    public var detail: String { RetentionWords.detail(of: step) }
    /// The source location, such as `Module/SearchScreen.swift:26`, or nil if it is unknown.
    public var source: String? { step.site }
    /// The ID of the subscription, or nil if the step is something else.
    public var subscription: Int? { step.subscription.flatMap { Int(exactly: $0.number) } }
  }
}
