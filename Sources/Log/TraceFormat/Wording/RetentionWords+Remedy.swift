extension RetentionWords {
  /// The advice about a cycle if no remedy is certain.
  package static let anyStep =
    "End one of these references when its owner is no longer needed."

  /// Returns the remedy for the leak, or nil if none is certain.
  package static func remedy(_ retention: Retention) -> Retention.Remedy? {
    switch retention.kind {
    case .cycle: return cycleRemedy(retention)
    case .path:
      return retention.subject == .object ? objectRemedy(retention) : pathRemedy(retention)
    case .none, .unsupported: return nil
    }
  }

  // MARK: Cycles

  private static func cycleRemedy(_ retention: Retention) -> Retention.Remedy? {
    guard let index = retention.breakIndex, retention.steps.indices.contains(index) else {
      return libraryRemedy(retention)
    }
    let step = retention.steps[index]
    // A step of an unknown kind doesn't have the facts for a remedy.
    if case .text = step.kind { return nil }
    let cycle = retention.cycle
    let next = cycle.isEmpty ? nil : retention.steps[(index + 1) % cycle.count]
    let mayBeWeak = Retention.mayBeWeak(index, in: cycle)
    guard let remedy = remedy(for: step, next: next, mayBeWeak: mayBeWeak, retention)
    else { return nil }
    // If nothing disposes the disposable, its subscription stays alive after its owner is
    // deallocated.
    guard let owner = retention.steps.last(where: { $0.field != nil }),
      owner.field?.holding == .disposable, endsWithOwner(step)
    else { return remedy }
    return remedy.then("Then dispose \(name(of: owner)) in deinit.")
  }

  /// Reports whether breaking a step as advised deallocates the owner.
  private static func endsWithOwner(_ step: Retention.Step) -> Bool {
    switch step.kind {
    case .closure(let closure): closure.capture.kind == .object
    case .field(let field): [.optionalReference, .reference].contains(field.holding)
    default: false
    }
  }

  private static func remedy(
    for step: Retention.Step, next: Retention.Step?, mayBeWeak: Bool,
    _ retention: Retention
  ) -> Retention.Remedy? {
    let words = EndWords(retention.library)
    switch step.kind {
    case .closure(let closure): return remedy(for: closure, retention.subject, words)
    case .assignment: return Retention.Remedy("Use sink, with self captured weakly.")
    case .task(_, waitsForContinuation: true): return resume
    case .task(nil, _) where retention.subject == .object:
      return Retention.Remedy("Cancel the Task when it is no longer needed.")
    case .task:
      return Retention.Remedy(
        "Cancel the Task when its owner is no longer needed, or let it hold its owner only while "
          + "it uses it: [weak self], and guard let self inside the loop.",
        captureList: "[weak self]")
    case .field(let field):
      return remedy(
        for: field, named: name(of: step), next: next, mayBeWeak: mayBeWeak, words)
    default:
      return Retention.Remedy(
        retention.subject == .object
          ? "End one of these references when the object is no longer needed."
          : "\(words.end) when its owner is no longer needed.")
    }
  }

  private static let resume = Retention.Remedy(
    "Resume the continuation that the Task waits for.")

  private static func remedy(
    for field: Retention.Step.Field, named name: String, next: Retention.Step?,
    mayBeWeak: Bool = true, _ words: EndWords = EndWords(nil)
  ) -> Retention.Remedy? {
    let dispose = Retention.Remedy("\(words.verb) \(name) when \(field.owner) is no longer needed.")
    if let end = end(of: field) {
      return Retention.Remedy("\(end) \(name) when \(field.owner) is no longer needed.")
    }
    switch field.holding {
    case .optionalReference where mayBeWeak: return Retention.Remedy("Make \(name) weak.")
    case .reference where mayBeWeak:
      return Retention.Remedy(
        "Make \(name) an optional weak reference, or end the object that it refers to.")
    case .collection:
      return Retention.Remedy("Remove the object from \(name) when it is no longer needed.")
    case .closure, .optional, .optionalReference:
      return Retention.Remedy("Set \(name) to nil when it is no longer needed.")
    case .disposable, .bag: return dispose
    case .other:
      if case .subscription? = next?.kind { return dispose }
      // The inner storage of a collection doesn't have a name.
      guard field.name != nil else { return nil }
      return Retention.Remedy("Empty \(name) when \(field.owner) is no longer needed.")
    case .reference, .owner, .resource: return nil
    }
  }

  // MARK: Ends

  /// The ends of the names of types whose objects keep what they were given until they are ended,
  /// each with a verb.
  private static let ends: [(suffixes: [String], verb: String)] = [
    (["URLSession", "Timer", "CADisplayLink"], "Invalidate"),
    (["Task", "Cancellable", "WorkItem", "DispatchSource", "Subscription"], "Cancel"),
    (["Continuation"], "Finish"),
    (["EventLoopGroup", "EventLoop", "HTTPClient", "Server"], "Shut down"),
    (["Disposable", "DisposeBag"], "Dispose"),
    (["Channel", "Connection", "FileHandle", "Socket"], "Close"),
  ]

  /// Returns what ends an object of a class, as a verb, or nil if its name doesn't say that.
  package static func verb(forEnding type: String) -> String? {
    let name = type.prefix { $0 != "<" }.split(separator: ".").last ?? ""
    return ends.first { $0.suffixes.contains { name.hasSuffix($0) } }?.verb
  }

  /// Returns what ends the content of a property, as a verb, or nil if that isn't known.
  private static func end(of field: Retention.Step.Field) -> String? {
    switch field.content {
    case .other(.task): "Cancel"
    case .type(let type) where field.holding == .resource: verb(forEnding: type)
    default: nil
    }
  }

  /// Returns what ends a cycle that is only in a dependency: what of the user's holds it.
  private static func libraryRemedy(_ retention: Retention) -> Retention.Remedy? {
    let fields = retention.cycle.compactMap(\.field)
    guard let library = fields.lazy.compactMap(\.library).first,
      fields.allSatisfy({ $0.library != nil })
    else { return nil }
    let owner = fields.first { verb(forEnding: $0.owner) != nil } ?? fields[0]
    let end = verb(forEnding: owner.owner) ?? "End"
    let user = retention.tail > 0 ? retention.steps.last : nil
    let what = user.map { " of \(name(of: $0))" } ?? ""
    return Retention.Remedy(
      "The cycle is in the dependency \(library). \(end) the \(owner.owner)\(what) when it is no "
        + "longer needed.")
  }

  private static func remedy(
    for closure: Retention.Step.Closure, _ subject: Retention.Subject, _ words: EndWords
  ) -> Retention.Remedy {
    let capture = closure.capture
    if closure.form == .methodReference, !capture.isSelf {
      return Retention.Remedy(
        "Pass a closure that captures the object weakly instead of a method of it.")
    }
    if closure.form == .methodReference {
      return Retention.Remedy(
        "Pass a closure with [weak self] instead of the method itself.",
        captureList: "[weak self]")
    }
    if closure.form == .nestedFunction, capture.kind == .object {
      let list = "[weak \(capture.name ?? "self")]"
      return Retention.Remedy(
        "Use a closure with \(list) instead of the nested function \(closure.function ?? "").",
        captureList: list)
    }
    let dispose = Retention.Remedy(
      subject == .object
        ? "Remove the closure when it is no longer needed."
        : "\(words.end) when it is no longer needed.")
    switch capture.kind {
    case .object where capture.isSelf: return .capture("self")
    case .disposable:
      return Retention.Remedy(
        "\(words.verb) \(capture.name ?? capture.type ?? "it") when it is no longer needed.")
    case .object:
      return capture.name.map { .capture($0) }
        ?? Retention.Remedy("Capture \(capture.type ?? "the object") weakly.")
    case .variable:
      let variable = capture.name ?? "the variable"
      if capture.holdsClosure {
        return Retention.Remedy("Set \(variable) to nil when the closure is no longer needed.")
      }
      guard capture.type != nil else { return dispose }
      return Retention.Remedy(
        "Declare \(variable) weak, or set it to nil when it is no longer needed.")
    case .value:
      return Retention.Remedy(
        "Capture only the parts of \(capture.name ?? "the value") that the closure needs, without "
          + "its \(capture.type ?? "object").")
    case .collection:
      return Retention.Remedy(
        "Capture only what the closure needs of \(capture.name ?? "the collection"), or empty it "
          + "when it is no longer needed.")
    case .unknown: return dispose
    }
  }

  // MARK: Paths

  private static func pathRemedy(_ retention: Retention) -> Retention.Remedy? {
    guard let root = retention.steps.first else { return nil }
    let words = EndWords(retention.library)
    let capturesSelf = retention.steps.last(where: \.isCode)?.capturesSelf ?? false
    switch root.kind {
    case .variable(let variable) where documentedName(of: variable) != nil:
      return Retention.Remedy(
        (capturesSelf ? "Capture self weakly: [weak self], and remove" : "Remove")
          + " the observer when its owner is no longer needed.",
        captureList: capturesSelf ? "[weak self]" : nil)
    case .threadDictionary:
      return Retention.Remedy(
        "Remove the value from the threadDictionary when it is no longer needed.")
    case .variable where retention.owner == .nobody:
      return Retention.Remedy(
        "\(words.keep)\(words.orLifetime).")
    case .variable where capturesSelf:
      return weak(true, or: "remove the closure from \(name(of: root))")
    case .variable:
      return Retention.Remedy(
        "\(words.end), or remove what holds it from \(name(of: root)).")
    case .task(_, let waitsForContinuation):
      return waitsForContinuation
        ? resume : Retention.Remedy("Cancel the Task when its owner is no longer needed.")
    case .queue, .group, .delay, .block, .timer:
      if capturesDisposable(retention) {
        return Retention.Remedy("\(words.end) earlier, or \(end(of: root)).")
      }
      return weak(capturesSelf, or: end(of: root))
    case .runningThread:
      let weak =
        capturesSelf
        ? "Capture self weakly: [weak self], and guard let self inside the loop"
        : "Capture the object weakly"
      return Retention.Remedy(
        "\(weak), or end the block of the thread when its owner is no longer needed.",
        captureList: capturesSelf ? "[weak self]" : nil)
    case .threadValue:
      return Retention.Remedy("Remove the value from its thread when it is no longer needed.")
    case .localVariable:
      return Retention.Remedy("\(words.end) before the function continues.")
    default: return ownerRemedy(retention)
    }
  }

  /// Returns what to search for if the owner of the disposable is known, but not what retains the
  /// owner.
  private static func ownerRemedy(_ retention: Retention) -> Retention.Remedy? {
    guard let owner = retention.owner, owner != .nobody, owner != .task,
      let field = retention.steps.last(where: { $0.field != nil })?.field
    else { return nil }
    return Retention.Remedy(
      "Find out what else retains \(field.owner). When it is deallocated, it "
        + "\(EndWords(retention.library).verb.lowercased())s the subscription.")
  }

  /// Reports whether the last closure on a path captures the subscription's disposable.
  private static func capturesDisposable(_ retention: Retention) -> Bool {
    guard let index = retention.steps.lastIndex(where: \.isCode) else { return false }
    if case .closure(let closure) = retention.steps[index].kind,
      closure.capture.kind == .disposable
    {
      return true
    }
    return index == retention.steps.count - 2
  }

  /// Returns the remedy for something that waits.
  private static func end(of step: Retention.Step) -> String {
    switch step.kind {
    case .queue(let queue):
      queue.isSuspended ? "resume the queue" : "let the queue run the block"
    case .group: "leave the group as often as it is entered"
    case .delay:
      "pass asyncAfter a DispatchWorkItem and cancel it when its owner is no longer needed"
    case .timer: "use a DispatchSourceTimer and cancel it"
    default: "cancel what waits when its owner is no longer needed"
    }
  }

  // MARK: Objects

  /// Returns the remedy for an object that a path keeps alive, or nil if none is certain.
  private static func objectRemedy(_ retention: Retention) -> Retention.Remedy? {
    guard !retention.isOnlyOfCaller, let root = retention.steps.first else { return nil }
    let capturesSelf = retention.steps.last(where: \.isCode)?.capturesSelf ?? false
    switch root.kind {
    case .variable(let variable) where documentedName(of: variable) != nil:
      return weak(
        capturesSelf, or: nil, and: "remove the observer when its owner is no longer needed")
    case .variable where capturesSelf:
      return weak(true, or: "remove the closure from \(name(of: root))")
    case .variable:
      // The last property is the one that holds the object, or the first object on the path to it.
      if let field = retention.steps.last(where: { $0.field != nil }) {
        return fieldRemedy(field)
      }
      return Retention.Remedy(
        "Remove the object from \(name(of: root)) when it is no longer needed.")
    case .task(_, waitsForContinuation: true): return resume
    case .task:
      return Retention.Remedy(
        "Cancel the Task when the object is no longer needed, or capture the object weakly.")
    case .queue, .group, .delay, .block, .timer:
      return weak(capturesSelf, or: end(of: root))
    case .runningThread:
      return weak(capturesSelf, or: "end the block of the thread")
    case .threadValue, .threadDictionary:
      return Retention.Remedy("Remove the value from its thread when it is no longer needed.")
    case .localVariable:
      return Retention.Remedy(
        "Let the function return, or set its variable to nil when it is no longer needed.")
    default: return retention.steps.last { $0.field != nil }.flatMap(fieldRemedy)
    }
  }

  /// Returns the advice to capture `self` or the object weakly, or to do something else instead or
  /// in addition.
  private static func weak(
    _ capturesSelf: Bool, or alternative: String?, and addition: String? = nil
  ) -> Retention.Remedy {
    let weak = capturesSelf ? "Capture self weakly: [weak self]" : "Capture the object weakly"
    let rest = [alternative.map { ", or \($0)" }, addition.map { ", and \($0)" }]
    return Retention.Remedy(
      weak + rest.compactMap(\.self).joined() + ".",
      captureList: capturesSelf ? "[weak self]" : nil)
  }

  /// Returns what to do with a property that isn't on a cycle.
  private static func fieldRemedy(_ step: Retention.Step) -> Retention.Remedy? {
    let name = name(of: step)
    guard let field = step.field else { return Retention.Remedy("Empty \(name).") }
    switch field.holding {
    case .optionalReference:
      return Retention.Remedy(
        "Set \(name) to nil when the object is no longer needed, or make it weak.")
    case .reference, .other, .owner, .resource:
      return Retention.Remedy("Find out why \(field.owner) is alive, which holds it in \(name).")
    case .collection, .closure, .optional, .disposable, .bag:
      return remedy(for: field, named: name, next: nil)
    }
  }
}
