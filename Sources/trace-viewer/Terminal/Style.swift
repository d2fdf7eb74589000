/// How text stands out: only what every terminal shows on every background.
struct Style: Equatable, Sendable {
  enum Color: Int, Sendable {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  var color: Color?
  var isBold = false
  var isDim = false

  static let plain = Style()
  static let bold = Style(isBold: true)
  static let dim = Style(isDim: true)

  /// The sequence that turns it on; empty for plain text.
  var sequence: String {
    var codes: [Int] = []
    if isBold { codes.append(1) }
    if isDim { codes.append(2) }
    if let color { codes.append(color.rawValue) }
    return codes.isEmpty ? "" : "\u{1B}[" + codes.map(String.init).joined(separator: ";") + "m"
  }

  static let reset = "\u{1B}[0m"
}
