import TraceFormat

/// The part of a line table (DWARF, versions 2 to 5) that covers one compiled file. It is a program
/// that produces rows of addresses, files and lines.
struct LineProgram {
  struct Row {
    var address: UInt = 0
    var file = 1
    var line = 1
  }

  /// The sections that a line table refers to.
  struct Sections {
    let lines: UnsafeRawBufferPointer
    /// Functions that return the text at an offset of `.debug_line_str` and of `.debug_str`.
    let lineText: (Int) -> String
    let text: (Int) -> String
    /// A function that reports whether there is time left. Data that is not read in time counts as
    /// missing.
    let isInTime: () -> Bool
  }

  /// The most recent row.
  private(set) var row = Row()
  /// True if the current row only marks the end of the previous row.
  private(set) var isEnd = false
  /// The offset of the next program.
  let next: Int

  let sections: Sections
  private var cursor: ByteCursor
  private var isFresh = true
  private var steps = 0
  let version: Int
  let offsetSize: Int
  private let shortest: Int
  private let lineBase: Int
  private let lineRange: Int
  private let opcodeBase: Int
  private let operandCounts: [UInt8]
  /// A cursor at the start of the tables of folders and files.
  let tables: ByteCursor

  /// Creates the program that begins at `start`. Returns nil at the end of the section.
  init?(_ sections: Sections, at start: Int) {
    self.sections = sections
    var cursor = ByteCursor(sections.lines, from: start)
    var length = cursor.integer(4)
    let isWide = length == 0xFFFF_FFFF
    offsetSize = isWide ? 8 : 4
    if isWide { length = cursor.integer(8) }
    guard length > 0, length <= cursor.end - cursor.position else { return nil }
    next = cursor.position + length
    cursor.limit(to: next)
    version = cursor.integer(2)
    if version >= 5 { cursor.skip(2) }
    let headerLength = cursor.integer(offsetSize)
    let program = cursor.position + max(0, min(headerLength, length))
    shortest = cursor.integer(1)
    if version >= 4 { cursor.skip(1) }
    cursor.skip(1)
    lineBase = Int(Int8(bitPattern: cursor.byte()))
    lineRange = max(1, cursor.integer(1))
    opcodeBase = max(1, cursor.integer(1))
    operandCounts = (1..<opcodeBase).map { _ in cursor.byte() }
    tables = cursor
    // An unsupported version produces no rows.
    cursor.move(to: 2...5 ~= version ? program : next)
    self.cursor = cursor
  }

  /// Runs the program until it produces a row. Returns false if it ends or runs out of time first.
  mutating func advance() -> Bool {
    if isEnd || isFresh {
      (row, isEnd, isFresh) = (Row(), false, false)
    }
    while !cursor.isAtEnd {
      steps += 1
      if steps % 4096 == 0, !sections.isInTime() { return false }
      let opcode = Int(cursor.byte())
      if opcode >= opcodeBase {
        let step = opcode - opcodeBase
        row.address &+= UInt(bitPattern: step / lineRange &* shortest)
        row.line &+= lineBase + step % lineRange
        return true
      }
      switch opcode {
      case 0:
        if extended() { return true }
      case 1: return true
      case 2: move(Int(truncatingIfNeeded: cursor.unsigned()) &* shortest)
      case 3: row.line &+= Int(truncatingIfNeeded: cursor.signed())
      case 4: row.file = Int(truncatingIfNeeded: cursor.unsigned())
      case 8: move((255 - opcodeBase) / lineRange &* shortest)
      case 9: move(cursor.integer(2))
      default:
        for _ in 0..<Int(operandCounts[opcode - 1]) { _ = cursor.unsigned() }
      }
    }
    return false
  }

  private mutating func move(_ distance: Int) { row.address &+= UInt(bitPattern: distance) }

  /// Runs an extended instruction and reports whether it produces a row.
  private mutating func extended() -> Bool {
    let size = Int(truncatingIfNeeded: cursor.unsigned())
    guard size > 0 else { return false }
    let end = cursor.position &+ size
    switch cursor.byte() {
    case 1:
      isEnd = true
      cursor.move(to: end)
      return true
    case 2: row.address = UInt(truncatingIfNeeded: cursor.number(size - 1))
    default: break
    }
    cursor.move(to: end)
    return false
  }
}
