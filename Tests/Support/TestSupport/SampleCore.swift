/// A small core file of a process with one library, one thread and a page of its own.
package struct SampleCore {
  /// The addresses of the library, of the page that the process changed, and of its stack.
  package static let library: UInt64 = 0x7F00_0000_0000
  package static let heap: UInt64 = 0x5500_0000_0000
  package static let stack: UInt64 = 0x7FFC_0000_0000
  package static let page: UInt64 = 4096

  package var libraryPath = "/lib/libsample.so"
  /// The identifier of the library in the memory of the process, or nil if it doesn't have one.
  package var identifier: [UInt8]? = [1, 2, 3, 4]
  /// A Boolean value that indicates whether the first page of the library is in the core file.
  package var hasHeadOfLibrary = true
  package var hasStack = true
  package var hasHeap = true
  /// What the process may do with its heap: 4 is to read, and 2 to write.
  package var rightsToHeap: UInt32 = 6
  /// The number of the system call of the thread and its result.
  package var call: (number: Int, result: Int) = (202, -512)

  package init() {}

  /// A library of two pages, whose second one begins with the text.
  package static func library(_ identifier: [UInt8]?, text: String) -> [UInt8] {
    var notes: [UInt8] = []
    if let identifier { notes = note("GNU", 3, identifier) }
    var bytes = header(type: 3, partCount: 3)
    bytes += part(kind: 1, flags: 4, at: 0, 0, size: page)
    bytes += part(kind: 1, flags: 5, at: page, page, size: page)
    bytes += part(kind: 4, flags: 4, at: 512, 512, size: UInt64(notes.count))
    bytes += [UInt8](repeating: 0, count: 512 - bytes.count) + notes
    bytes += [UInt8](repeating: 0, count: Int(page) - bytes.count) + Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: Int(2 * page) - bytes.count)
  }

  /// The bytes of the core file.
  package var bytes: [UInt8] {
    let page = Self.page
    let head = Array(Self.library(identifier, text: "").prefix(Int(page)))
    let notes = self.notes
    let contents: [(flags: UInt32, address: UInt64, bytes: [UInt8], size: UInt64)] = [
      (rightsToHeap, Self.heap, hasHeap ? [UInt8](repeating: 7, count: Int(page)) : [], page),
      (4, Self.library, hasHeadOfLibrary ? head : [], page),
      (5, Self.library + page, [], page),
      (0, Self.stack - page, [], page),
      (6, Self.stack, hasStack ? [UInt8](repeating: 9, count: Int(page)) : [], page),
    ]
    var bytes = Self.header(type: 4, partCount: contents.count + 1)
    var offset = UInt64(64 + 56 * (contents.count + 1))
    bytes += Self.part(kind: 4, flags: 0, at: offset, 0, size: UInt64(notes.count))
    offset += UInt64(notes.count)
    for content in contents {
      let count = UInt64(content.bytes.count)
      bytes += Self.part(
        kind: 1, flags: content.flags, at: offset, content.address, size: count,
        memory: content.size)
      offset += count
    }
    return bytes + notes + contents.flatMap(\.bytes)
  }

  private var notes: [UInt8] {
    var thread = [UInt8](repeating: 0, count: 336)
    Self.write(4711, 4, to: &thread, at: 32)
    #if arch(arm64)
      thread += [UInt8](repeating: 0, count: 56)
      Self.write(Self.stack + 256, 8, to: &thread, at: 112 + 31 * 8)
      Self.write(Self.library + Self.page + 8, 8, to: &thread, at: 112 + 32 * 8)
    #else
      Self.write(UInt64(bitPattern: Int64(call.result)), 8, to: &thread, at: 112 + 10 * 8)
      Self.write(0xF00, 8, to: &thread, at: 112 + 14 * 8)
      Self.write(UInt64(bitPattern: Int64(call.number)), 8, to: &thread, at: 112 + 15 * 8)
      Self.write(Self.library + Self.page + 8, 8, to: &thread, at: 112 + 16 * 8)
      Self.write(Self.stack + 256, 8, to: &thread, at: 112 + 19 * 8)
    #endif
    var process = [UInt8](repeating: 0, count: 136)
    Self.write(4711, 4, to: &process, at: 24)
    Self.write(1, 4, to: &process, at: 28)
    process.replaceSubrange(40..<46, with: Array("sample".utf8))
    process.replaceSubrange(56..<68, with: Array("./sample --a".utf8))
    let files = [
      (Self.library, Self.library + Self.page, UInt64(0)),
      (Self.library + Self.page, Self.library + 2 * Self.page, UInt64(1)),
    ]
    var mapped = Self.number(UInt64(files.count), 8) + Self.number(Self.page, 8)
    for (start, end, offset) in files {
      mapped += Self.number(start, 8) + Self.number(end, 8) + Self.number(offset, 8)
    }
    for _ in files { mapped += Array(libraryPath.utf8) + [0] }
    let auxiliary = Self.number(9, 8) + Self.number(Self.library + Self.page, 8)
    return Self.note("CORE", 1, thread) + Self.note("CORE", 3, process)
      + Self.note("CORE", 6, auxiliary) + Self.note("CORE", 0x4649_4C45, mapped)
  }

  private static func number(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }

  private static func write(
    _ value: UInt64, _ size: Int, to bytes: inout [UInt8], at offset: Int
  ) {
    bytes.replaceSubrange(offset..<offset + size, with: number(value, size))
  }

  private static func header(type: UInt64, partCount: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 57)
    write(type, 2, to: &bytes, at: 16)
    #if arch(arm64)
      write(183, 2, to: &bytes, at: 18)
    #else
      write(62, 2, to: &bytes, at: 18)
    #endif
    write(64, 8, to: &bytes, at: 32)
    write(56, 2, to: &bytes, at: 54)
    write(UInt64(partCount), 2, to: &bytes, at: 56)
    return bytes
  }

  private static func part(
    kind: UInt32, flags: UInt32, at offset: UInt64, _ address: UInt64, size: UInt64,
    memory: UInt64? = nil
  ) -> [UInt8] {
    number(UInt64(kind), 4) + number(UInt64(flags), 4) + number(offset, 8) + number(address, 8)
      + number(0, 8) + number(size, 8) + number(memory ?? size, 8) + number(page, 8)
  }

  private static func note(_ name: String, _ type: UInt64, _ content: [UInt8]) -> [UInt8] {
    func padded(_ bytes: [UInt8]) -> [UInt8] {
      bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    let name = Array(name.utf8) + [0]
    return number(UInt64(name.count), 4) + number(UInt64(content.count), 4) + number(type, 4)
      + padded(name) + padded(content)
  }
}
