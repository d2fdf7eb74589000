/// The step of a cycle to break, and how.
struct CycleAdvice {
  let index: Int
  let sentence: String

  /// Returns nil if no step is of the user.
  ///
  /// - Parameter rest: The steps from the cycle to the subscription.
  init?(_ cycle: [NamedStep], rest: [NamedStep] = []) {
    guard let index = Self.stepToBreak(cycle) else { return nil }
    self.index = index
    sentence =
      Self.sentence(cycle[index], next: cycle[(index + 1) % cycle.count])
      + Self.afterward(cycle[index], owner: (cycle + rest).last(where: \.isField))
  }

  /// Says what must happen once the cycle is broken. A disposable that nobody disposes leaves its
  /// subscription alive when its owner is deallocated.
  private static func afterward(_ broken: NamedStep, owner: NamedStep?) -> String {
    guard let owner, case .field(_, .disposable(disposesItself: false)) = owner.kind else {
      return ""
    }
    switch broken.kind {
    case .closure(let capture):
      guard case .object = capture.way else { return "" }
    case .field(_, .optionalReference), .field(_, .reference): break
    default: return ""
    }
    return " Then dispose \(owner.step.what) in deinit."
  }

  /// The ends of names that references back to an owner usually have.
  private static let backNames = [
    "delegate", "parent", "owner", "superview", "controller", "datasource", "target", "view",
    "output", "host", "container", "coordinator", "listener",
  ]

  /// Returns the index of the step to break: a closure, else a reference that can be weak.
  private static func stepToBreak(_ cycle: [NamedStep]) -> Int? {
    // A closure that holds another one can do nothing about what that one holds.
    let closures = cycle.indices.filter { cycle[$0].isClosure }
    if let closure = closures.first(where: { !closures.contains($0 + 1) }) { return closure }
    let fields = cycle.indices.filter { cycle[$0].isField }
    let isBack = { (index: Int) -> Bool in
      let name = cycle[index].step.what.split(separator: ".").last?.lowercased() ?? ""
      return backNames.contains { name.hasSuffix($0) }
    }
    for isWeakable in [isOptionalReference, isReference] {
      let weakable = fields.filter { isWeakable(cycle[$0]) }
      if let back = weakable.last(where: isBack) ?? weakable.last { return back }
    }
    return fields.last
  }

  static let resume = "Resume the continuation that the Task waits for."

  private static func isOptionalReference(_ step: NamedStep) -> Bool {
    if case .field(_, .optionalReference) = step.kind { true } else { false }
  }

  private static func isReference(_ step: NamedStep) -> Bool {
    if case .field(_, .reference) = step.kind { true } else { false }
  }

  private static func sentence(_ step: NamedStep, next: NamedStep) -> String {
    switch step.kind {
    case .closure(let capture): sentence(capture)
    case .assignment: "Use sink, with self captured weakly."
    case .task(waitsForContinuation: true): resume
    case .task:
      "Cancel the Task when its owner is no longer needed, or let it hold its owner only while it "
        + "uses it: [weak self], and guard let self inside the loop."
    case .field(_, .optionalReference): "Make \(step.step.what) weak."
    case .field(_, .reference):
      "Make \(step.step.what) an optional weak reference, or end the object that it refers to."
    case .field(_, .collection):
      "Remove the object from \(step.step.what) when it is no longer needed."
    case .field(_, .closure), .field(_, .optional):
      "Set \(step.step.what) to nil when it is no longer needed."
    case .field(let owner, .disposable):
      "Dispose \(step.step.what) when \(owner) is no longer needed."
    case .field(let owner, .other):
      if case .subscription = next.kind {
        "Dispose \(step.step.what) when \(owner) is no longer needed."
      } else {
        "Empty \(step.step.what) when \(owner) is no longer needed."
      }
    case .subscription, .root: "Dispose the subscription when its owner is no longer needed."
    }
  }

  private static func sentence(_ capture: ClosureCapture) -> String {
    if capture.isMethod { return "Pass a closure with [weak self] instead of the method itself." }
    if let function = capture.nestedFunction, case .object = capture.way {
      return "Use a closure with [weak \(capture.name ?? "self")] instead of the nested function "
        + "\(function)."
    }
    switch capture.way {
    case .object where capture.isSelf: return "Capture self weakly: [weak self]."
    case .object:
      if let name = capture.name { return "Capture \(name) weakly: [weak \(name)]." }
      return "Capture \(capture.type ?? "the object") weakly."
    case .variable:
      let variable = capture.name ?? "the variable"
      if capture.holdsItself {
        return "Set \(variable) to nil when the closure is no longer needed."
      }
      return capture.type == nil
        ? "Dispose the subscription when it is no longer needed."
        : "Declare \(variable) weak, or set it to nil when it is no longer needed."
    case .value:
      return "Capture only the parts of \(capture.name ?? "the value") that the closure needs, "
        + "without its \(capture.type ?? "object")."
    case .collection:
      return "Capture only what the closure needs of \(capture.name ?? "the collection"), "
        + "or empty it when it is no longer needed."
    case .nextStep: return "Dispose the subscription when it is no longer needed."
    }
  }
}
