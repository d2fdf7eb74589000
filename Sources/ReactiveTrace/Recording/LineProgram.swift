import TraceFormat

/// The part of a line table (DWARF, versions 2 to 5) that is about one compiled file: a program that makes rows of addresses,
/// files and lines.
struct LineProgram {
  struct Row {
    var address: UInt = 0
    var file = 1
    var line = 1
  }

  /// The sections that a line table refers to.
  struct Sections {
    let lines: UnsafeRawBufferPointer
    let lineTexts: UnsafeRawBufferPointer
    let texts: UnsafeRawBufferPointer
  }

  /// The row that was made last.
  private(set) var row = Row()
  /// Whether that row only says where the one before it ends.
  private(set) var isEnd = false
  /// Where the next program begins.
  let next: Int

  private let sections: Sections
  private var cursor: ByteCursor
  private var isFresh = true
  private let version: Int
  private let offsetSize: Int
  private let shortest: Int
  private let lineBase: Int
  private let lineRange: Int
  private let opcodeBase: Int
  private let operandCounts: [UInt8]
  private let tables: Int

  /// The program that begins at `start`; nil at the end of the section.
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
    tables = cursor.position
    // What is not understood makes no rows.
    cursor.move(to: 2...5 ~= version ? program : next)
    self.cursor = cursor
  }

  /// Runs until there is a row, of which there is none at the end.
  mutating func advance() -> Bool {
    if isEnd || isFresh {
      (row, isEnd, isFresh) = (Row(), false, false)
    }
    while !cursor.isAtEnd {
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

  /// Whether it makes a row.
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

  // MARK: Files

  /// The paths of the files, by their numbers.
  func files() -> [Int: String] {
    var cursor = cursor
    cursor.move(to: tables)
    return version >= 5 ? table(&cursor) : listed(&cursor)
  }

  private func listed(_ cursor: inout ByteCursor) -> [Int: String] {
    var folders = [""]
    while !cursor.isAtEnd {
      let folder = cursor.text()
      if folder.isEmpty { break }
      folders.append(folder)
    }
    var files: [Int: String] = [:]
    while !cursor.isAtEnd {
      let name = cursor.text()
      if name.isEmpty { break }
      let folder = Int(truncatingIfNeeded: cursor.unsigned())
      _ = cursor.unsigned()
      _ = cursor.unsigned()
      files[files.count + 1] = path(name, folder, of: folders)
    }
    return files
  }

  private func table(_ cursor: inout ByteCursor) -> [Int: String] {
    let folders = entries(&cursor).map(\.name)
    var files: [Int: String] = [:]
    for (number, entry) in entries(&cursor).enumerated() {
      files[number] = path(entry.name, entry.folder, of: folders)
    }
    return files
  }

  private func path(_ name: String, _ folder: Int, of folders: [String]) -> String {
    guard !name.hasPrefix("/"), folders.indices.contains(folder) else { return name }
    // That of the compiler's working folder is the first, to which others may be relative.
    let parts = folders[folder].hasPrefix("/") || folder == 0 ? [folder] : [0, folder]
    return (parts.map { folders[$0] } + [name]).filter { !$0.isEmpty }.joined(separator: "/")
  }

  private func entries(_ cursor: inout ByteCursor) -> [(name: String, folder: Int)] {
    let format = (0..<cursor.integer(1)).map { _ in
      (content: cursor.unsigned(), form: cursor.unsigned())
    }
    let count = format.isEmpty ? 0 : Int(truncatingIfNeeded: cursor.unsigned())
    var entries: [(name: String, folder: Int)] = []
    while entries.count < count, !cursor.isAtEnd {
      var entry = (name: "", folder: 0)
      for (content, form) in format {
        let (text, number) = value(&cursor, form)
        if content == 1 { entry.name = text }
        if content == 2 { entry.folder = number }
      }
      entries.append(entry)
    }
    return entries
  }

  private func value(_ cursor: inout ByteCursor, _ form: UInt64) -> (text: String, number: Int) {
    switch form {
    case 0x08: return (cursor.text(), 0)
    case 0x0E: return (text(at: cursor.integer(offsetSize), in: sections.texts), 0)
    case 0x1F: return (text(at: cursor.integer(offsetSize), in: sections.lineTexts), 0)
    case 0x0B: return ("", cursor.integer(1))
    case 0x05: return ("", cursor.integer(2))
    case 0x06: return ("", cursor.integer(4))
    case 0x07: return ("", cursor.integer(8))
    case 0x0F: return ("", Int(truncatingIfNeeded: cursor.unsigned()))
    case 0x1E: cursor.skip(16)
    case 0x09: cursor.skip(Int(truncatingIfNeeded: cursor.unsigned()))
    // How long it is is not known, so nothing after it can be read.
    default: cursor.move(to: cursor.end)
    }
    return ("", 0)
  }

  private func text(at offset: Int, in section: UnsafeRawBufferPointer) -> String {
    var cursor = ByteCursor(section, from: offset)
    return cursor.text()
  }
}
