extension RetentionWords {
  /// Returns the remedy for an object that a path keeps alive, or nil if none is certain.
  static func objectRemedy(_ retention: Retention) -> Retention.Remedy? {
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
    default: return retention.steps.last { $0.field != nil }.map(fieldRemedy)
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
  private static func fieldRemedy(_ step: Retention.Step) -> Retention.Remedy {
    let name = name(of: step)
    guard let field = step.field else { return Retention.Remedy("Empty \(name).") }
    switch field.holding {
    case .optionalReference:
      return Retention.Remedy(
        "Set \(name) to nil when the object is no longer needed, or make it weak.")
    case .reference, .other:
      return Retention.Remedy("Find out why \(field.owner) is alive, which holds it in \(name).")
    case .collection, .closure, .optional, .disposable, .bag:
      return remedy(for: field, named: name, next: nil)
    }
  }
}
