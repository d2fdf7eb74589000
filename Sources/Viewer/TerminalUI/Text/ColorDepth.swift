/// The number of colors that a terminal has.
package enum ColorDepth: Int, Comparable, Sendable {
  /// No colors, only bold, dim and reversed text.
  case none
  case eight, palette, full

  /// Returns the color depth that the environment indicates. A more reliable source would have to
  /// be queried and waited for.
  package static func of(_ environment: Environment) -> ColorDepth {
    let offered = environment["COLORTERM"]?.lowercased() ?? ""
    if offered.contains("truecolor") || offered.contains("24bit") { return .full }
    let term = environment["TERM"] ?? ""
    if term.contains("direct") { return .full }
    return term.contains("256color") ? .palette : .eight
  }

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Returns the code of a color. The shades are readable on black and on white: none is very light
  /// or very dark.
  package func code(of color: Style.Color, shade: UInt8?) -> String {
    guard let shade, self >= .palette else { return String(color.rawValue) }
    let level = Int(min(max(shade, 1), 4)) - 1
    if self == .palette { return "38;5;\(color.palette[level])" }
    let (red, green, blue) = color.tone
    // A smaller share of the color is closer to gray.
    let share = [40, 60, 80, 100][level]
    let mixed = [red, green, blue].map { ($0 * share + 128 * (100 - share)) / 100 }
    return "38;2;" + mixed.map(String.init).joined(separator: ";")
  }
}

extension Style.Color {
  /// The entries of the 256-color palette, from gray to the color.
  fileprivate var palette: [Int] {
    switch self {
    case .red: [138, 131, 167, 160]
    case .green: [108, 71, 70, 34]
    case .yellow: [143, 136, 178, 172]
    case .blue: [103, 68, 69, 33]
    case .magenta: [139, 133, 170, 164]
    case .cyan: [109, 73, 74, 37]
    }
  }

  fileprivate var tone: (Int, Int, Int) {
    switch self {
    case .red: (215, 40, 40)
    case .green: (30, 160, 50)
    case .yellow: (190, 135, 0)
    case .blue: (40, 120, 230)
    case .magenta: (190, 60, 190)
    case .cyan: (0, 150, 165)
    }
  }
}

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
