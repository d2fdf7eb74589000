import SystemLibrary

#if os(Linux)
  /// An executable or a library on disk. Only 64-bit little-endian files are supported.
  ///
  /// Sections are read, not mapped, because a file that is truncated while it is mapped would crash
  /// the process.
  package final class ElfFile {
    struct Section {
      let name: Int
      let type: Int
      let flags: Int
      let address: Int
      let offset: Int
      let size: Int
      let link: Int
    }

    private let file: Int32
    private let identity: FileIdentity?
    private let isInTime: () -> Bool
    private var sections: [Section] = []
    private var names: [String: Int] = [:]
    /// The address at which the file requests to be loaded. All addresses of the file are shifted
    /// by the difference to the actual address.
    package private(set) var firstAddress: UInt = 0

    /// Opens the file. Returns nil if the file can't be read or isn't supported. Data that isn't
    /// read in time counts as missing.
    package init?(_ path: String, isInTime: @escaping () -> Bool) {
      self.isInTime = isInTime
      // A process can put a named pipe where a mapped file was. Opening it would wait for a writer.
      file = OwnDescriptor.open(path, O_RDONLY | O_NONBLOCK)
      identity = FileIdentity(file)
      guard identity != nil, readHeaders() else { return nil }
    }

    deinit { if let identity { OwnDescriptor.close(file, identity) } }

    private func readHeaders() -> Bool {
      guard let header = bytes(at: 0, count: ElfLayout.headerSize) else { return false }
      return header.withUnsafeBytes { bytes in
        var cursor = ByteCursor(bytes)
        guard cursor.number(4) == ElfLayout.magic, cursor.number(1) == ElfLayout.is64Bit,
          cursor.number(1) == ElfLayout.isLittleEndian
        else { return false }
        cursor.move(to: Int(ElfLayout.programs))
        let (programs, sections) = (cursor.integer(8), cursor.integer(8))
        cursor.move(to: ElfLayout.programSize)
        let (programSize, programCount) = (cursor.integer(2), cursor.integer(2))
        let (sectionSize, sectionCount) = (cursor.integer(2), cursor.integer(2))
        let nameTable = cursor.integer(2)
        readPrograms(at: programs, programSize, programCount)
        return readSections(at: sections, sectionSize, sectionCount, names: nameTable)
      }
    }

    private func readPrograms(at offset: Int, _ size: Int, _ count: Int) {
      guard size >= ElfLayout.Program.size, let table = bytes(at: offset, count: size * count)
      else { return }
      table.withUnsafeBytes { bytes in
        for index in 0..<count {
          var cursor = ByteCursor(bytes, from: index * size)
          guard cursor.number(4) == ElfLayout.Program.isLoaded else { continue }
          cursor.move(to: index * size + Int(ElfLayout.Program.address))
          firstAddress = UInt(truncatingIfNeeded: cursor.number(8)) & ~0xFFF
          break
        }
      }
    }

    private func readSections(at offset: Int, _ size: Int, _ count: Int, names table: Int) -> Bool {
      guard size >= ElfLayout.Section.size, let headers = bytes(at: offset, count: size * count)
      else { return false }
      sections = headers.withUnsafeBytes { bytes in
        (0..<count).map { index in
          var cursor = ByteCursor(bytes, from: index * size)
          let (name, type, flags) = (cursor.integer(4), cursor.integer(4), cursor.integer(8))
          let (address, offset, size) = (cursor.integer(8), cursor.integer(8), cursor.integer(8))
          return Section(
            name: name, type: type, flags: flags, address: address, offset: offset, size: size,
            link: cursor.integer(4))
        }
      }
      guard let texts = contents(of: table) else { return false }
      return texts.withUnsafeBytes { bytes in
        for index in sections.indices {
          guard isInTime() else { return false }
          var cursor = ByteCursor(bytes, from: sections[index].name)
          names[cursor.text()] = index
        }
        return true
      }
    }

    package func hasSection(_ name: String) -> Bool { names[name] != nil }

    /// Returns the addresses of a section, as the file numbers addresses.
    package func addresses(ofSection name: String) -> Range<UInt>? {
      guard let index = names[name], let start = UInt(exactly: sections[index].address),
        let size = UInt(exactly: sections[index].size), size < UInt.max &- start
      else { return nil }
      return start..<start &+ size
    }

    /// Returns the bytes of a section. The result is empty if the section is missing, compressed,
    /// or too large to be read while a program exits.
    func contents(_ name: String) -> [UInt8] {
      names[name].flatMap { contents(of: $0) } ?? []
    }

    /// Returns the bytes of a section, like `contents(_:)`.
    package func contents(of index: Int) -> [UInt8]? {
      guard let section = readable(index) else { return nil }
      return bytes(at: section.offset, count: section.size)
    }

    /// A Boolean value that indicates whether the symbols of the program itself were removed.
    var isStripped: Bool { names[".symtab"] == nil }

    /// Returns the address of a section in the file, with its bytes. Returns nil if `contents(_:)`
    /// is empty.
    func addressedContents(_ name: String) -> (address: Int, bytes: [UInt8])? {
      guard let index = names[name], let bytes = contents(of: index) else { return nil }
      return (sections[index].address, bytes)
    }

    /// Returns the bytes of the file that are loaded at an address, as the file numbers addresses.
    func code(at address: UInt, count: Int) -> [UInt8]? {
      guard let address = Int(exactly: address) else { return nil }
      let index = sections.firstIndex { section in
        section.flags & ElfLayout.Section.isLoaded != 0 && section.address <= address
          && UInt(bitPattern: address &- section.address) < max(0, section.size)
      }
      return index.flatMap { readable($0) }.flatMap { section in
        let offset = address - section.address
        return bytes(at: section.offset &+ offset, count: min(count, section.size - offset))
      }
    }

    private func readable(_ index: Int) -> Section? {
      guard sections.indices.contains(index) else { return nil }
      let section = sections[index]
      let isReadable =
        section.type != ElfLayout.Section.hasNoBytes
        && section.flags & ElfLayout.Section.isCompressed == 0
      return isReadable ? section : nil
    }

    /// The symbol table, and the number of the section with the names of the symbols. For a
    /// stripped file, this is the symbol table of the dynamic linker.
    package var symbols: (table: [UInt8], texts: Int) { symbols(in: [".symtab", ".dynsym"]) }

    /// The symbol table of the dynamic linker.
    var dynamicSymbols: (table: [UInt8], texts: Int) { symbols(in: [".dynsym"]) }

    private func symbols(in sections: [String]) -> (table: [UInt8], texts: Int) {
      for name in sections {
        guard let index = names[name], let table = contents(of: index),
          readable(self.sections[index].link) != nil
        else { continue }
        return (table, self.sections[index].link)
      }
      return ([], 0)
    }

    /// Returns the string that begins at an offset in a section. Each string is read separately,
    /// because string sections are the largest and only a few of their strings are needed.
    func text(in name: String, at offset: Int) -> String {
      names[name].map { text(in: $0, at: offset) } ?? ""
    }

    package func text(in index: Int, at offset: Int) -> String {
      guard let section = readable(index), offset >= 0, offset < section.size else { return "" }
      let count = min(section.size - offset, ByteCursor.maxTextLength)
      return (bytes(at: section.offset &+ offset, count: count) ?? []).withUnsafeBytes { bytes in
        var cursor = ByteCursor(bytes)
        return cursor.text()
      }
    }

    private func bytes(at offset: Int, count: Int) -> [UInt8]? {
      guard offset >= 0, offset <= Int.max / 2, count > 0, count <= 1 << 28 else { return nil }
      // The data structures for a large section need additional memory.
      if count > 1 << 20, !MemoryReserve.hasRoom(for: 4 * count) { return nil }
      var isWhole = false
      let all = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        while initialized < count, isInTime() {
          let part = pread(
            file, buffer.baseAddress.map { $0 + initialized }, min(count - initialized, 1 << 20),
            off_t(offset + initialized))
          if part < 0, errno == EINTR { continue }
          guard part > 0 else { return }
          initialized += part
        }
        isWhole = initialized == count
      }
      return isWhole ? all : nil
    }
  }
#endif
