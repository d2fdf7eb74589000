/// The part of a line table (DWARF, versions 2 to 5) that covers one compiled file. It is a program
/// that produces rows of addresses, files and lines.
struct LineProgram {
  struct Row {
    var address: UInt = 0
    var file = 1
    var line = 1
    /// The column, or 0 if the table doesn't have it.
    var column = 0
  }

  /// The sections that a line table refers to.
  struct Sections {
    let lines: UnsafeRawBufferPointer
    /// Functions that return the text at an offset of `.debug_line_str` and of `.debug_str`.
    let lineText: (Int) -> String
    let text: (Int) -> String
    /// A function that returns whether there is time left. Data that isn't read in time counts as
    /// missing.
    let isInTime: () -> Bool
  }

  /// The most recent row.
  private(set) var row = Row()
  /// A Boolean value that indicates whether the current row only marks the end of the previous row.
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
    // An unsupported version doesn't produce rows.
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
      case 5: row.column = Int(truncatingIfNeeded: cursor.unsigned())
      case 8: move((255 - opcodeBase) / lineRange &* shortest)
      case 9: move(cursor.integer(2))
      default:
        for _ in 0..<Int(operandCounts[opcode - 1]) { _ = cursor.unsigned() }
      }
    }
    return false
  }

  private mutating func move(_ distance: Int) { row.address &+= UInt(bitPattern: distance) }

  /// Runs an extended instruction and returns whether it produces a row.
  private mutating func extended() -> Bool {
    let size = Int(truncatingIfNeeded: cursor.unsigned())
    guard size > 0 else { return false }
    var next = cursor
    next.skip(size)
    let end = next.position
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

extension LineProgram {
  /// The files that rows refer to by number. Paths are made on demand, because there can be very
  /// many and only a few are needed.
  final class Files {
    fileprivate struct Entry {
      var name = Name.none
      var folder = 0
    }

    /// A string, or the offset where a string begins.
    fileprivate enum Name {
      case none
      case here(Int)
      case lineText(Int)
      case text(Int)
    }

    private let sections: Sections
    private let folders: [Entry]
    private let files: [Entry]
    private let firstNumber: Int
    private var known: [Int: String] = [:]

    fileprivate init(
      _ sections: Sections, folders: [Entry], files: [Entry], firstNumber: Int
    ) {
      self.sections = sections
      self.folders = folders
      self.files = files
      self.firstNumber = firstNumber
    }

    /// The path of the file with that number, or nil if there isn't one.
    subscript(number: Int) -> String? {
      let index = number &- firstNumber
      guard files.indices.contains(index) else { return nil }
      if let path = known[number] { return path }
      let path = path(files[index])
      known[number] = path
      return path
    }

    private func path(_ file: Entry) -> String {
      let (name, folder) = (text(file.name), file.folder)
      guard !name.hasPrefix("/"), folders.indices.contains(folder) else { return name }
      let own = text(folders[folder].name)
      // The first folder is the compiler's working directory, and other folders can be relative to
      // it.
      let parts = own.hasPrefix("/") || folder == 0 ? [own] : [text(folders[0].name), own]
      return (parts + [name]).filter { !$0.isEmpty }.joined(separator: "/")
    }

    private func text(_ name: Name) -> String {
      switch name {
      case .none: return ""
      case .here(let offset):
        var cursor = ByteCursor(sections.lines, from: offset)
        return cursor.text()
      case .lineText(let offset): return sections.lineText(offset)
      case .text(let offset): return sections.text(offset)
      }
    }
  }

  /// The maximum number of files, and of folders. Additional ones are ignored.
  private static let maxEntries = 1 << 16

  func files() -> Files {
    var cursor = tables
    return version >= 5 ? table(&cursor) : listed(&cursor)
  }

  private func listed(_ cursor: inout ByteCursor) -> Files {
    var folders = [Files.Entry()]
    while let name = name(&cursor), folders.count < Self.maxEntries {
      folders.append(Files.Entry(name: name))
    }
    var files: [Files.Entry] = []
    while files.count < Self.maxEntries, let name = name(&cursor) {
      files.append(Files.Entry(name: name, folder: Int(truncatingIfNeeded: cursor.unsigned())))
      _ = cursor.unsigned()
      _ = cursor.unsigned()
    }
    return Files(sections, folders: folders, files: files, firstNumber: 1)
  }

  /// Returns the next name of a list, or nil at its end.
  private func name(_ cursor: inout ByteCursor) -> Files.Name? {
    let position = cursor.position
    let isEnd = cursor.isAtEnd
    cursor.skipText()
    return isEnd || cursor.position == position + 1 ? nil : .here(position)
  }

  private func table(_ cursor: inout ByteCursor) -> Files {
    let folders = entries(&cursor)
    return Files(sections, folders: folders, files: entries(&cursor), firstNumber: 0)
  }

  private func entries(_ cursor: inout ByteCursor) -> [Files.Entry] {
    let format = (0..<cursor.integer(1)).map { _ in
      (content: cursor.unsigned(), form: cursor.unsigned())
    }
    let count = format.isEmpty ? 0 : Int(truncatingIfNeeded: cursor.unsigned())
    // Data after a list can't be found unless the list is read to its end.
    guard count <= Self.maxEntries else {
      cursor.move(to: cursor.end)
      return []
    }
    var entries: [Files.Entry] = []
    while entries.count < count, !cursor.isAtEnd {
      var entry = Files.Entry()
      for (content, form) in format {
        let (name, number) = value(&cursor, form)
        if content == 1 { entry.name = name }
        if content == 2 { entry.folder = number }
      }
      entries.append(entry)
    }
    return entries
  }

  private func value(
    _ cursor: inout ByteCursor, _ form: UInt64
  ) -> (name: Files.Name, number: Int) {
    switch form {
    case 0x08:
      let position = cursor.position
      cursor.skipText()
      return (.here(position), 0)
    case 0x0E: return (.text(cursor.integer(offsetSize)), 0)
    case 0x1F: return (.lineText(cursor.integer(offsetSize)), 0)
    case 0x0B: return (.none, cursor.integer(1))
    case 0x05: return (.none, cursor.integer(2))
    case 0x06: return (.none, cursor.integer(4))
    case 0x07: return (.none, cursor.integer(8))
    case 0x0F: return (.none, Int(truncatingIfNeeded: cursor.unsigned()))
    case 0x1E: cursor.skip(16)
    case 0x09: cursor.skip(Int(truncatingIfNeeded: cursor.unsigned()))
    // The length is unknown, so nothing after it can be read.
    default: cursor.move(to: cursor.end)
    }
    return (.none, 0)
  }
}
