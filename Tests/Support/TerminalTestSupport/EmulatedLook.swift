package import TerminalUI

/// The appearance of a cell of an emulated terminal.
package struct EmulatedLook: Equatable {
  package var isBold = false
  package var isDim = false
  package var isUnderlined = false
  package var isReversed = false
  /// The codes that set the color, or nil for the default color.
  package var color: String?

  package init() {}

  /// Creates the appearance of a style on a terminal with this color depth.
  package init(_ style: Style, _ depth: ColorDepth) {
    let codes = style.sequence(depth).dropFirst(2).dropLast()
    if !codes.isEmpty { apply(codes.split(separator: ";").compactMap { Int($0) }) }
  }

  /// Applies the numbers of a sequence, and returns the unknown ones.
  @discardableResult
  package mutating func apply(_ codes: [Int]) -> [Int] {
    var unknown: [Int] = []
    var rest = codes[...]
    while let code = rest.popFirst() {
      switch code {
      case 0: self = EmulatedLook()
      case 1: isBold = true
      case 2: isDim = true
      case 4: isUnderlined = true
      case 7: isReversed = true
      case 22: (isBold, isDim) = (false, false)
      case 24: isUnderlined = false
      case 27: isReversed = false
      case 30...37, 90...97: color = "\(code)"
      case 38 where rest.first == 5 && rest.count >= 2:
        color = "38;5;\(rest[rest.startIndex + 1])"
        rest = rest.dropFirst(2)
      case 38 where rest.first == 2 && rest.count >= 4:
        color = ([38, 2] + rest.dropFirst().prefix(3)).map(String.init).joined(separator: ";")
        rest = rest.dropFirst(4)
      case 39: color = nil
      default: unknown.append(code)
      }
    }
    return unknown
  }
}
