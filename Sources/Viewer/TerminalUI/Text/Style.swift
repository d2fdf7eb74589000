/// The style of text. It has only the attributes that every terminal shows on every background.
package struct Style: Hashable, Sendable {
  package enum Color: Int, Sendable {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  package var color: Color?
  package var isBold = false
  package var isDim = false
  package var isReversed = false
  var isUnderlined = false
  /// The strength of the color, from 1 to 4, on terminals with more than eight colors. Other
  /// terminals show the plain color.
  package var shade: UInt8?
  /// The link that the text opens.
  package var link: Hyperlink?

  package init(
    color: Color? = nil, isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false,
    isUnderlined: Bool = false, shade: UInt8? = nil
  ) {
    self.color = color
    self.isBold = isBold
    self.isDim = isDim
    self.isReversed = isReversed
    self.isUnderlined = isUnderlined
    self.shade = shade
  }

  package static let plain = Style()
  package static let bold = Style(isBold: true)
  package static let dim = Style(isDim: true)
  package static let reversed = Style(isReversed: true)

  /// The sequence that turns on the style with eight colors, or an empty string for plain text.
  package var sequence: String {
    sequence(.eight)
  }

  package func sequence(_ depth: ColorDepth) -> String {
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
