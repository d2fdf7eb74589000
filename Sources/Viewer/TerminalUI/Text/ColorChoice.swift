/// The choice of when to write in color.
package enum ColorChoice: String, CaseIterable, Sendable {
  case always, auto, never

  /// Reports whether to write in color. This is decided separately for standard output and standard
  /// error.
  package func isOn(environment: Environment, isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if environment["NO_COLOR"] != nil { return false }
    for name in ["CLICOLOR_FORCE", "FORCE_COLOR"] {
      if let value = environment[name] { return value != "0" }
    }
    guard let term = environment["TERM"] else { return false }
    return isTerminal && term != "dumb"
  }
}
