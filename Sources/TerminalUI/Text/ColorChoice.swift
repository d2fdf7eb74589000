/// When to write in colour.
package enum ColorChoice: String, CaseIterable, Sendable {
  case always, auto, never

  /// Decided for standard output and standard error apart.
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
    return isTerminal && environment["TERM"] != "dumb"
  }
}
