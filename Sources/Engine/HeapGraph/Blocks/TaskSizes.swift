import CRuntime.Heap
import ProcessMemory
import SwiftRuntime

/// The sizes of tasks whose blocks aren't known.
///
/// A task ends with the frame of its first function. The function's pointer has the frame's size
/// (`AsyncFunctionPointer` in `swift/ABI/Task.h`): the distance to the code and the size, in four
/// bytes each.
final class TaskSizes {
  /// What is before the frame (`FutureAsyncContextPrefix` in the runtime's `Task.cpp`): the address
  /// of the result in the task, the code, its closure, and the address of an error. In bytes.
  private enum Prefix {
    static let code: UInt = 8
    static let size: UInt = 32
  }

  /// The maximum distance from the start of a task to the prefix. The result is before it.
  private static let maxOffset: UInt = 1024

  private let memory: ProcessMemory
  private let map: MemoryMap
  private let isInTime: () -> Bool
  /// The sizes of the frames of all functions of a file, by the file and the code.
  private var frames: [String: [UInt: UInt]] = [:]

  init(_ memory: ProcessMemory, _ map: MemoryMap, isInTime: @escaping () -> Bool) {
    self.memory = memory
    self.map = map
    self.isInTime = isInTime
  }

  /// Returns the size of a task in bytes, or less. Returns nil if it isn't known.
  func size(ofTaskAt address: UInt) -> UInt? {
    let fields = UInt(TaskLayout.size)
    for offset in stride(from: fields, to: Self.maxOffset, by: 8) {
      guard let result = memory.word(address &+ offset) else { return nil }
      guard address &+ fields..<address &+ offset ~= result,
        let code = memory.word(address &+ offset &+ Prefix.code),
        let part = map.part(of: code), part.use == .code, let path = part.path
      else { continue }
      return frames(of: path)[code].map { offset + Prefix.size + $0 }
    }
    return nil
  }

  /// Returns the sizes that the constants of a file can state for its code. Other constants can
  /// look like the pointer of a function, so the smallest size counts.
  private func frames(of path: String) -> [UInt: UInt] {
    if let known = frames[path] { return known }
    var found: [UInt: UInt] = [:]
    let parts = map.parts.filter { $0.path == path }
    let code = parts.filter { $0.use == .code }
    if let start = code.map(\.start).min(), let end = code.map(\.end).max() {
      for part in parts where part.use != .code {
        read(part.start..<part.end, heap_range(start: start, end: end), &found)
      }
    }
    frames[path] = found
    return found
  }

  private static let chunk = 1 << 20

  private func read(_ range: Range<UInt>, _ code: heap_range, _ found: inout [UInt: UInt]) {
    guard let buffer = ProcessMemory.map(Self.chunk) else { return }
    defer { ProcessMemory.unmap(buffer, Self.chunk) }
    let words = buffer.assumingMemoryBound(to: Int32.self)
    var address = range.lowerBound
    while address < range.upperBound, isInTime() {
      let wanted = min(Self.chunk, Int(range.upperBound - address))
      let count = memory.copy(from: address, to: buffer, count: wanted) / 4
      guard count > 1 else { return }
      var index = heap_find_sizes(words, 0, count, code, address)
      while index >= 0 {
        let target = address &+ UInt(index) * 4 &+ UInt(bitPattern: Int(words[index]))
        let size = UInt(UInt32(bitPattern: words[index + 1]))
        found[target] = min(size, found[target] ?? .max)
        index = heap_find_sizes(words, index + 1, count, code, address)
      }
      // A pointer can begin with the last word.
      address &+= UInt(count - 1) * 4
      if count * 4 == wanted, address &+ 4 >= range.upperBound { return }
    }
  }
}
