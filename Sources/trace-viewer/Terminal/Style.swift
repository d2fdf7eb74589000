/// How text stands out: only what every terminal shows on every background.
struct Style: Hashable, Sendable {
  enum Color: Int, Sendable {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  var color: Color?
  var isBold = false
  var isDim = false
  var isReversed = false
  var isUnderlined = false
  /// How much of the colour there is, from 1 to 4, where a terminal has more than eight; others show it plain.
  var shade: UInt8?

  static let plain = Style()
  static let bold = Style(isBold: true)
  static let dim = Style(isDim: true)
  static let reversed = Style(isReversed: true)

  /// The sequence that turns it on where there are eight colours; empty for plain text.
  var sequence: String {
    sequence(.eight)
  }

  func sequence(_ depth: ColorDepth) -> String {
    var codes: [String] = []
    if isBold { codes.append("1") }
    if isDim { codes.append("2") }
    if isUnderlined { codes.append("4") }
    if isReversed { codes.append("7") }
    if let color, depth > .none { codes.append(depth.code(of: color, shade: shade)) }
    return codes.isEmpty ? "" : "\u{1B}[" + codes.joined(separator: ";") + "m"
  }

  static let reset = "\u{1B}[0m"
}
