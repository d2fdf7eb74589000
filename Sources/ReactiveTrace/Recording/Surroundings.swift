/// The scope and the leak check in which a subscription was made. They take one word, because most
/// subscriptions have neither.
enum Surroundings: Sendable {
  case none
  case scope(TraceScope)
  case check(Checked)

  /// The values of a subscription that was made in a leak check.
  final class Checked: Sendable {
    let scope: TraceScope?
    let check: LeakCheck
    /// The text of the last element, for the messages of the check.
    let lastText = Guarded<String?>(nil)

    init(_ scope: TraceScope?, _ check: LeakCheck) { (self.scope, self.check) = (scope, check) }
  }

  init(_ scope: TraceScope?, _ check: LeakCheck?) {
    self = check.map { .check(Checked(scope, $0)) } ?? scope.map { .scope($0) } ?? .none
  }

  var scope: TraceScope? {
    switch self {
    case .none: nil
    case .scope(let scope): scope
    case .check(let checked): checked.scope
    }
  }

  var check: LeakCheck? {
    if case .check(let checked) = self { checked.check } else { nil }
  }
}
