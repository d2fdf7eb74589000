/// The wording that all reports use for what keeps a subscription alive.
package enum RetentionWords {
  // MARK: Steps

  /// Returns a name for a step, such as `closure at Search.swift:26` or `SearchScreen.bag`.
  package static func name(of step: Retention.Step) -> String {
    switch step.kind {
    case .subscription(_, let lane): "subscription of \(lane)"
    case .object(let type): type
    case .closure(let closure): name(of: closure, at: step.site)
    case .assignment: "assign(to:on:)"
    case .task: step.site.map { "Task at \(file($0))" } ?? "Task"
    case .field(let field): field.name.map { "\(field.owner).\($0)" } ?? field.owner
    case .variable(let variable): name(of: variable)
    case .localVariable: "a local variable"
    case .threadValue: "a value of a thread"
    case .runningThread: "a Thread"
    case .threadDictionary: "Thread.threadDictionary"
    case .queue(let queue): name(of: queue)
    case .group: "DispatchGroup"
    case .delay: "asyncAfter"
    case .block: "a block"
    case .timer: "Timer"
    case .omitted(let count): count == 1 ? "1 more step" : "\(count) more steps"
    case .text(let what, _): what
    }
  }

  /// Returns details about a step, such as `captures self strongly`. Empty if there is nothing to
  /// add.
  package static func detail(of step: Retention.Step) -> String {
    switch step.kind {
    case .subscription(let id, _): id.map { "\($0)" } ?? ""
    case .object: "the object"
    case .closure(let closure): detail(of: closure.capture)
    case .assignment(let type): "holds \(type) strongly"
    case .task(let type, let waitsForContinuation):
      detail(ofTask: type, waitsForContinuation)
    case .field(let field): detail(of: field.content)
    case .variable(let variable): detail(of: variable)
    case .localVariable: "of a function that has not returned"
    case .threadValue: "that has not ended"
    case .runningThread: "whose block has not returned"
    case .threadDictionary: "of a thread that has not ended"
    case .queue(let queue):
      queue.isSuspended ? "is suspended, with a block in it" : "has a block that has not run"
    case .group: "waits until it is left as often as it was entered"
    case .delay: "has a block that has not run"
    case .block: "that probably waits in libdispatch"
    case .timer: "that Foundation on Linux does not free, even if it is invalidated"
    case .omitted: ""
    case .text(_, let detail): detail
    }
  }

  private static func name(of closure: Retention.Step.Closure, at site: String?) -> String {
    let isMethod = closure.form == .methodReference
    if let site {
      return (isMethod ? "method reference at " : "closure at ") + file(site)
    }
    if let code = closure.code { return "a closure in \(code)" }
    return (isMethod ? "method reference in " : "closure in ") + (closure.function ?? "")
  }

  /// Returns a location without its module: `Search.swift:26`.
  private static func file(_ site: String) -> String {
    site.split(separator: "/").last.map(String.init) ?? site
  }

  private static func detail(of capture: Retention.Step.Capture) -> String {
    let type = capture.type ?? ""
    switch capture.kind {
    case .object where capture.isSelf: return "captures self strongly"
    case .object, .disposable:
      return capture.name.map { "captures \($0) (\(type)) strongly" }
        ?? "captures \(type) strongly"
    case .variable:
      let variable = capture.name.map { "the variable \($0)" } ?? "a variable"
      if capture.holdsClosure { return "captures \(variable), which holds this closure" }
      return type.isEmpty ? "captures \(variable)" : "captures \(variable), which holds \(type)"
    case .value(let value):
      return "captures \(capture.name.map { "\($0) (\(value))" } ?? value), which holds \(type)"
    case .collection: return "captures \(capture.name ?? "a collection"), which holds \(type)"
    case .unknown: return capture.name.map { "captures \($0)" } ?? "captures the next step"
    }
  }

  private static func detail(ofTask type: String?, _ waitsForContinuation: Bool) -> String {
    let state = waitsForContinuation ? "waits for a continuation" : "has not ended"
    return type.map { "holds \($0), and \(state)" } ?? state
  }

  private static func detail(of content: Retention.Step.Field.Content) -> String {
    switch content {
    case .type(let type): type
    case .other(.closure): "closure"
    case .other(.disposable): "Disposable"
    case .other(.task): "Task"
    case .other(.block): "block"
    case .other(.box): "boxed value"
    case .other(.dispatchObject): "object of libdispatch"
    case .other(.unknown): ""
    }
  }

  private static func name(of variable: Retention.Step.Variable) -> String {
    if let known = documentedName(of: variable) { return known }
    return switch variable.scope {
    case .global: "global \(variable.name)"
    case .staticMember: "static \(variable.name)"
    case .library: "a variable of \(variable.library ?? "a library")"
    case .unknown: "a global or static variable"
    }
  }

  private static func detail(of variable: Retention.Step.Variable) -> String {
    if documentedName(of: variable) != nil { return "" }
    return switch variable.scope {
    case .global, .staticMember: variable.library.map { "of \($0)" } ?? ""
    // Users don't know the variable's name, so the library comes first.
    case .library: variable.name
    case .unknown: ""
    }
  }

  /// Returns the documented name for a private variable of a library.
  static func documentedName(of variable: Retention.Step.Variable) -> String? {
    switch variable.name {
    case "_defaultCenter": "NotificationCenter.default"
    default: nil
    }
  }

  private static func name(of queue: Retention.Step.Queue) -> String {
    switch queue.kind {
    case .main: "the main queue"
    case .global: "a global queue"
    case .labeled(let label): label.isEmpty ? "a queue" : "queue \"\(label)\""
    }
  }

  // MARK: Sentences

  /// Returns a sentence about what can dispose the subscription, or nil if unknown.
  package static func holder(_ retention: Retention) -> String? {
    guard let owner = retention.owner else { return nil }
    let container: String
    switch owner {
    case .nobody: return EndWords(retention.library).nobody
    case .task: return "Its Task has not ended."
    case .bag: container = "a bag"
    case .cancellable: container = "an AnyCancellable"
    case .serial: container = "a SerialDisposable"
    case .composite: container = "a CompositeDisposable"
    case .deinitializing: container = "a DeinitDisposable"
    }
    if let step = retention.steps.last(where: { $0.field != nil }), let field = step.field {
      return "It is in \(container), \(name(of: step)), and \(field.owner) is still alive."
    }
    guard let first = retention.steps.first, retention.steps.count > 1 else { return nil }
    return "It is in \(container), held by \(name(of: first))."
  }

  /// Returns a sentence about the limits of the search, or nil if it found something.
  package static func note(_ retention: Retention) -> String? {
    switch retention.limit {
    case .searched(let bytes):
      "No \(retention.isOnlyOfCaller ? "other holder" : "holder") was found among "
        + "\((bytes + (1 << 20) - 1) >> 20) MB of memory, which doesn't prove that there isn't one."
    case .notAnObservation:
      "It is not an observation of a signal, so nobody knows where to look for what holds it."
    case .time: "The time or the stack space was too short to look for what holds it."
    case .memory:
      "Why it is alive was not searched for: the process had too little memory left."
    case .platform:
      "Why it is alive cannot be found out here: the memory of the process cannot be searched."
    case .trait:
      "Why it is alive was not searched for: the program was built without the trait Causes. "
        + "Add traits: [\"Causes\"] to the package's dependency on reactivekit-trace."
    case nil: nil
    }
  }
}
