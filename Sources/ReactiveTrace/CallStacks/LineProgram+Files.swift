extension LineProgram {
  /// The files that rows refer to by number. Paths are made on demand, because there may be very
  /// many and few are needed.
  final class Files {
    fileprivate struct Entry {
      var name = Name.none
      var folder = 0
    }

    /// A text, or the offset where a text begins.
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

    /// The path of the file with that number, or nil if there is none.
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
      // The first folder is the compiler's working folder, and other folders may be relative to it.
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

  /// The maximum number of files, and of folders. Any beyond that are left out.
  private static let most = 1 << 16

  func files() -> Files {
    var cursor = tables
    return version >= 5 ? table(&cursor) : listed(&cursor)
  }

  private func listed(_ cursor: inout ByteCursor) -> Files {
    var folders = [Files.Entry()]
    while let name = name(&cursor), folders.count < Self.most {
      folders.append(Files.Entry(name: name))
    }
    var files: [Files.Entry] = []
    while files.count < Self.most, let name = name(&cursor) {
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
    // Nothing after a list can be found unless the list is read to its end.
    guard count <= Self.most else {
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
