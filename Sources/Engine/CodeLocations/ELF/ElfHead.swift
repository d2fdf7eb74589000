/// The header and the program headers of an ELF file: of a program, a library or a core file.
package struct ElfHead {
  /// A program header, which describes a part of a file and of memory.
  package struct Part: Sendable {
    package let kind: UInt32
    package let flags: UInt32
    /// The position in the file, and the number of bytes there.
    package let offset: UInt64
    package let fileSize: UInt64
    package let address: UInt64
    package let memorySize: UInt64

    package var isLoaded: Bool { kind == ElfLayout.Program.isLoaded }
    package var hasNotes: Bool { kind == ElfLayout.Program.hasNotes }
  }

  package let isForThisArchitecture: Bool
  package private(set) var parts: [Part] = []

  /// The maximum number of program headers. The kernel maps at most 65,530 parts by default.
  private static let maxParts = 1 << 20

  /// Returns whether a file begins like a 64-bit core file.
  package static func isCore(_ header: [UInt8]) -> Bool {
    header.number(0, 4) == UInt64(ElfLayout.magic) && header.number(4, 1) == ElfLayout.is64Bit
      && header.number(5, 1) == ElfLayout.isLittleEndian
      && header.number(ElfLayout.fileType, 2) == ElfLayout.typeOfCore
  }

  /// Reads a file. Returns nil if it isn't a whole 64-bit little-endian ELF file.
  ///
  /// - Parameter bytes: Returns bytes of the file at an offset, or nil if not all of them can be
  ///   read.
  package init?(_ bytes: (_ offset: UInt64, _ count: Int) -> [UInt8]?) {
    typealias Layout = ElfLayout
    guard let header = bytes(0, Layout.headerSize), header.count == Layout.headerSize,
      header.number(0, 4) == UInt64(Layout.magic), header.number(4, 1) == Layout.is64Bit,
      header.number(5, 1) == Layout.isLittleEndian
    else { return nil }
    isForThisArchitecture = Layout.isForThisArchitecture(header)
    let size = Int(header.number(Layout.programSize, 2))
    var count = Int(header.number(Int(Layout.programCount), 2))
    if count == Layout.manyPrograms {
      // The number is too large for the header, so it is in the first section.
      let section = header.number(Layout.sections, 8)
      guard let first = bytes(section, Layout.Section.size) else { return nil }
      count = Int(first.number(Layout.Section.information, 4))
    }
    guard size >= Int(Layout.Program.size), count <= Self.maxParts else { return nil }
    guard count > 0 else { return }
    guard let table = bytes(header.number(Int(Layout.programs), 8), size * count) else {
      return nil
    }
    parts = (0..<count).map { index in
      let at = index * size
      func field(_ offset: UInt) -> UInt64 { table.number(at + Int(offset), 8) }
      return Part(
        kind: UInt32(table.number(at, 4)),
        flags: UInt32(table.number(at + Int(Layout.Program.flags), 4)),
        offset: field(Layout.Program.offset), fileSize: field(Layout.Program.fileSize),
        address: field(Layout.Program.address), memorySize: field(Layout.Program.memorySize))
    }
  }

  /// The identifier that the linker gave to the program or library, or nil if there isn't one
  /// (`--build-id` of the linkers).
  package func buildIdentifier(
    _ bytes: (_ offset: UInt64, _ count: Int) -> [UInt8]?
  ) -> [UInt8]? {
    for part in parts where part.hasNotes && part.fileSize <= 1 << 16 {
      guard let content = bytes(part.offset, Int(part.fileSize)) else { continue }
      for note in ElfNote.all(in: content)
      where note.type == ElfNote.buildIdentifier && note.name == ElfNote.gnu {
        return Array(note.content)
      }
    }
    return nil
  }
}

/// A note: a record in an ELF file (`Elf64_Nhdr`).
package struct ElfNote {
  static let gnu = "GNU"
  /// `NT_GNU_BUILD_ID`.
  static let buildIdentifier: UInt32 = 3

  package let name: String
  package let type: UInt32
  package let content: ArraySlice<UInt8>

  /// Returns the notes in bytes. A note that isn't whole ends the list.
  package static func all(in bytes: [UInt8]) -> [ElfNote] {
    var notes: [ElfNote] = []
    var position = 0
    while bytes.count - position >= 12 {
      let nameSize = Int(bytes.number(position, 4))
      let size = Int(bytes.number(position + 4, 4))
      let type = UInt32(bytes.number(position + 8, 4))
      let start = position + 12
      let content = start + (nameSize + 3) & ~3
      guard content <= bytes.count, size <= bytes.count - content else { break }
      let name = String(
        decoding: bytes[start..<start + nameSize].prefix { $0 != 0 }, as: UTF8.self)
      notes.append(ElfNote(name: name, type: type, content: bytes[content..<content + size]))
      position = content + (size + 3) & ~3
    }
    return notes
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// Returns the little-endian number at an offset from the start. Bytes after the end are zero.
  package func number(_ offset: Int, _ size: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<size where offset >= 0 && offset < count - index {
      value |= UInt64(self[startIndex + offset + index]) << UInt64(index * 8)
    }
    return value
  }
}
