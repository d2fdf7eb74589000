/// One cell of a terminal, which shows a grapheme cluster or the second half of a wide one.
///
/// A cell consists of plain numbers, because a screen has tens of thousands of cells and creates
/// them for every change. The row keeps the clusters of more than one character.
struct ScreenCell: Sendable {
  enum Kind: UInt8, Sendable {
    case narrow
    case wide
    case secondHalf
    /// A cluster whose width differs between terminals.
    case uncertainNarrow, uncertainWide
  }

  /// The first code that stands for an index into the clusters of the row.
  static let firstCluster: UInt32 = 0x110000

  let code: UInt32
  let kind: Kind
  let style: Style

  init(_ code: UInt32, _ style: Style, _ kind: Kind = .narrow) {
    self.code = code
    self.kind = kind
    self.style = style
  }

  static let blank = ScreenCell(0x20, .plain)

  var isBlank: Bool { code == 0x20 && kind == .narrow && style == .plain }
  var isSecondHalf: Bool { kind == .secondHalf }
  var isUncertain: Bool { kind == .uncertainNarrow || kind == .uncertainWide }
  var columns: Int { kind == .wide || kind == .uncertainWide ? 2 : 1 }
}
