/// The words for a drawing of a path, in which each step is a node with an arrow to the next one.
extension RetentionWords {
  /// Returns the words for what a step stands for: an object, a closure, a variable.
  package static func node(of step: Retention.Step) -> String {
    switch step.kind {
    case .field(let field): field.owner
    default: name(of: step)
    }
  }

  /// Returns the words at the arrow to the next step: the field or the capture. Empty if they would
  /// repeat the node.
  package static func edge(of step: Retention.Step) -> String {
    switch step.kind {
    case .field(let field): field.name.map { ".\($0)" } ?? ""
    case .closure(let closure): edge(of: closure.capture)
    case .assignment(let type): "holds \(type)"
    case .task(let type, _): type.map { "holds \($0)" } ?? ""
    case .text(_, let detail): detail
    default: ""
    }
  }

  private static func edge(of capture: Retention.Step.Capture) -> String {
    let type = capture.type ?? ""
    let name = capture.name ?? (capture.isSelf ? "self" : nil)
    switch capture.kind {
    case .object, .disposable: return "captures \(name ?? type)"
    case .variable: return "captures \(name.map { "the variable \($0)" } ?? "a variable")"
    case .value(let value): return "captures \(name ?? value)"
    case .collection: return "captures \(name ?? "a collection")"
    case .unknown: return name.map { "captures \($0)" } ?? "captures"
    }
  }
}
