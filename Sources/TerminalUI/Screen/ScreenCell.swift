/// One place of a terminal, which shows a grapheme cluster, or the second half of a wide one.
///
/// Plain numbers, because a screen has tens of thousands of them and they are made for every change: a cluster of more
/// than one character is kept by the row.
struct ScreenCell: Sendable {
  enum Kind: UInt8, Sendable {
    case narrow
    case wide
    case secondHalf
    /// Terminals disagree about how wide the cluster is.
    case uncertainNarrow, uncertainWide
  }

  /// Codes from here on are places among the clusters of the row.
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
