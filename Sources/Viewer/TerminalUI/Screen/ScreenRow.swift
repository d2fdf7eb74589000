/// The cells of a row, one for each column of the terminal.
package struct ScreenRow: Sendable {
  private(set) var cells: [ScreenCell] = []
  private var clusters: [Character] = []

  init(_ line: Line, columns: Int) {
    cells.reserveCapacity(columns)
    for span in line.spans where cells.count < columns { append(span, columns) }
    while cells.count < columns { cells.append(.blank) }
  }

  /// Returns the text of a cell, which is empty for the second half of a wide cluster.
  func text(_ column: Int) -> String {
    let cell = cells[column]
    if cell.isSecondHalf { return "" }
    if cell.code >= ScreenCell.firstCluster {
      return String(clusters[Int(cell.code - ScreenCell.firstCluster)])
    }
    return Unicode.Scalar(cell.code).map { String($0) } ?? " "
  }

  func differs(from other: ScreenRow, at column: Int) -> Bool {
    let (mine, its) = (cells[column], other.cells[column])
    if mine.kind != its.kind || mine.style != its.style { return true }
    if mine.code < ScreenCell.firstCluster || its.code < ScreenCell.firstCluster {
      return mine.code != its.code
    }
    return text(column) != other.text(column)
  }

  private mutating func append(_ span: Line.Span, _ columns: Int) {
    let style = span.style
    let scalars = span.text.unicodeScalars
    var index = scalars.startIndex
    while cells.count < columns, index < scalars.endIndex {
      let scalar = scalars[index]
      let next = scalars.index(after: index)
      // Western letters and line-drawing characters are whole clusters, unless a mark follows.
      if Self.isSeparate(scalar), next == scalars.endIndex || Self.isSeparate(scalars[next]) {
        cells.append(ScreenCell(Self.visible(scalar), style))
        index = next
      } else {
        append(span.text[index], style, columns)
        index = span.text.index(after: index)
      }
    }
  }

  private mutating func append(_ cluster: Character, _ style: Style, _ columns: Int) {
    let width = DisplayWidth.columns(of: cluster)
    // A cluster without width combines with the character before it, which has another style. It
    // can't be shown there.
    if width == 0 { return }
    // A wide cluster would extend beyond the last column.
    if width == 2, cells.count + 1 == columns { return cells.append(ScreenCell(0x20, style)) }
    let isUncertain = DisplayWidth.isUncertain(String(cluster))
    let code = code(of: cluster)
    if width == 1 {
      return cells.append(ScreenCell(code, style, isUncertain ? .uncertainNarrow : .narrow))
    }
    cells.append(ScreenCell(code, style, isUncertain ? .uncertainWide : .wide))
    cells.append(ScreenCell(0x20, style, .secondHalf))
  }

  private mutating func code(of cluster: Character) -> UInt32 {
    let scalars = cluster.unicodeScalars
    if scalars.count == 1, let scalar = scalars.first { return Self.visible(scalar) }
    clusters.append(cluster)
    return ScreenCell.firstCluster + UInt32(clusters.count - 1)
  }

  /// Reports whether a character takes one column and never forms a cluster with another character
  /// of this kind.
  private static func isSeparate(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300: true
    case 0x2010...0x2027, 0x2190...0x21FF, 0x2500...0x259F, 0x2800...0x28FF: true
    default: false
    }
  }

  /// Returns the code to show. The text should already be safe. If it is not, a control character
  /// still can't move the cursor.
  private static func visible(_ scalar: Unicode.Scalar) -> UInt32 {
    let value = scalar.value
    return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0x20 : value
  }
}

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
