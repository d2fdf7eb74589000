import Testing

@testable import HeapGraph
@testable import ProcessMemory
@testable import SwiftRuntime

@Suite("Memory map")
struct MemoryMapTests {
  private func parts(_ text: String) -> [MemoryMap.Part] {
    MemoryMap(list: Array(text.utf8)).parts
  }

  @Test(
    "The use of a mapping is determined from its line in the memory map",
    arguments: [
      ("559000-55a000 rw-p 00000000 00:00 0                          [heap]", MemoryMap.Use.heap),
      ("7f00-7f10 rw-p 00000000 00:00 0 ", .heap),
      ("7f00-7f10 rwxp 00000000 00:00 0 ", .heap),
      ("7ffc00-7ffd00 rwxp 00000000 00:00 0                          [stack]", .stack),
      ("7f00-7f10 rwxp 00001000 fe:01 77                             /usr/bin/app", .code),
      ("7f00-7f10 rw-p 00000000 00:00 0 [anon: from a program]", .heap),
      ("7ffc00-7ffd00 rw-p 00000000 00:00 0                          [stack]", .stack),
      ("7f00-7f10 r-xp 00001000 fe:01 77                             /usr/bin/app", .code),
      ("7f00-7f10 rw-p 00003000 fe:01 77                             /usr/bin/my app", .variables),
      ("7f00-7f10 r--p 00003000 fe:01 77                             /usr/bin/app", .other),
      ("7f00-7f10 rw-s 00000000 fe:01 77                             /tmp/log.jsonl", .other),
      ("7f00-7f10 rw-p 00000000 00:06 77                             /dev/card", .other),
      ("7f00-7f10 r--p 00000000 00:00 0                              [vvar]", .other),
      ("ffffffffff600000-ffffffffff601000 r-xp 00000000 00:00 0      [vsyscall]", .code),
    ])
  func uses(line: String, use: MemoryMap.Use) throws {
    for ending in ["", "\n"] {
      let part = try #require(parts(line + ending).first)
      #expect(part.use == use)
    }
  }

  #if os(Linux)
    @Test("Paths of a process with a root of its own are those that it sees")
    func roots() {
      #expect(ProcessSource.path("/srv/root/usr/app", below: "/srv/root") == "/usr/app")
      #expect(ProcessSource.path("/srv/root2/app", below: "/srv/root") == "/srv/root2/app")
      #expect(ProcessSource.own.root == nil)
    }
  #endif

  @Test("Paths of mappings can contain spaces, and only file mappings have a path")
  func paths() {
    let list = """
      1000-2000 rw-p 00003000 fe:01 77                             /usr/my  apps/app (deleted)
      2000-3000 rw-p 00000000 00:00 0                              [heap]
      3000-4000 rw-p 00000000 00:00 0
      """
    #expect(parts(list).map(\.path) == ["/usr/my  apps/app (deleted)", nil, nil])
    #expect(parts(list).map(\.start) == [0x1000, 0x2000, 0x3000])
    #expect(parts(list).map(\.end) == [0x2000, 0x3000, 0x4000])
  }

  @Test(
    "Malformed lines and unreadable mappings in a memory map are skipped",
    arguments: [
      "", "\n\n", "-", " ", "1000", "1000-", "1000-2000", "1000-2000 ", "1000-2000 rw",
      "xyz-2000 rw-p 0 0 0", "1000-2g rw-p 0 0 0", "2000-1000 rw-p 0 0 0", "1000-1000 rw-p 0 0 0",
      "1000-12345678123456789 rw-p 0 0 0", "1000-2000 ---p 00000000 00:00 0",
      "1000-2000 -w-p 00000000 00:00 0", "\u{0}\u{0}\u{0}", "1000 2000 rw-p 0 0 0",
      "A000-B000 rw-p 00000000 00:00 0",
    ])
  func oddLines(line: String) {
    let good = "5000-6000 rw-p 00000000 00:00 0"
    #expect(parts(line).isEmpty)
    #expect(parts("\(line)\n\(good)").map(\.start) == [0x5000])
    #expect(parts("\(good)\n\(line)").map(\.start) == [0x5000])
  }

  @Test("An address is found among very many mappings")
  func huge() {
    let count: UInt = 65_530
    let list = (0..<count).map { number in
      let start = 0x10000 + number * 0x2000
      return "\(String(start, radix: 16))-\(String(start + 0x1000, radix: 16)) rw-p 0 00:00 0\n"
    }
    let map = MemoryMap(list: Array(list.joined().utf8))
    #expect(map.parts.count == Int(count))
    for number in stride(from: 0, to: count, by: 997) {
      let start = 0x10000 + number * 0x2000
      #expect(map.index(of: start) == Int(number))
      #expect(map.index(of: start + 0xFFF) == Int(number))
      #expect(map.index(of: start + 0x1000) == nil)
    }
    #expect(map.index(of: 0) == nil)
    #expect(map.index(of: .max) == nil)
  }

  private static func map(_ lines: String...) -> MemoryMap {
    MemoryMap(list: Array(lines.map { $0 + " 0 00:00 0\n" }.joined().utf8))
  }

  @Test("Memory above a thread's stack pointer is its stack, and memory below is unused")
  func stacks() {
    var map = Self.map("1000-2000 rw-p", "3000-4000 r-xp", "5000-6000 rw-p")
    map.markStacks(at: [0x1FF8, 0x1F00, 0x3800, 0x4800, 0])
    #expect(map.parts.map(\.use) == [.other, .stack, .code, .heap])
    // The red zone below the stack pointer is also in use.
    #expect(map.parts.map(\.start) == [0x1000, 0x1E80, 0x3000, 0x5000])
    #expect(map.parts.map(\.end) == [0x1E80, 0x2000, 0x4000, 0x6000])
    map.markStacks(at: [0x5020])
    #expect(map.parts.map(\.use) == [.other, .stack, .code, .heap])
  }

  @Test("If a stack pointer is unknown, memory after a guard is a stack")
  func guards() {
    let lines = Self.map(
      "1000-2000 ---p", "2000-9000 rw-p", "9000-a000 rw-p", "b000-c000 ---p", "d000-e000 rw-p",
      "100000-200000 ---p", "200000-300000 rw-p")
    for areSomeUnknown in [false, true] {
      var map = lines
      map.markStacks(at: [], areSomeUnknown: areSomeUnknown)
      #expect(map.part(of: 0x2000)?.use == (areSomeUnknown ? .stack : .heap))
      // The other mappings aren't directly after a guard, or their guard is too large for a stack.
      #expect([0x9000, 0xD000, 0x200000].allSatisfy { map.part(of: $0)?.use == .heap })
    }
  }

  @Test("Stacks that the kernel lists as one part with other memory are separated")
  func mergedStacks() throws {
    let memory = try #require(ProcessMemory())
    let size = 16 * ProcessMemory.pageSize
    let bytes = try #require(ProcessMemory.map(Int(3 * size)))
    defer { ProcessMemory.unmap(bytes, Int(3 * size)) }
    let start = UInt(bitPattern: bytes)
    let stacks = [start + size, start + 2 * size]
    for stack in stacks {
      let data = Int(stack + size - 1024 - start)
      bytes.storeBytes(of: stack, toByteOffset: data, as: UInt.self)
      bytes.storeBytes(of: size, toByteOffset: data + 8, as: UInt.self)
    }
    let end = String(start + 3 * size, radix: 16)
    var map = Self.map("\(String(start, radix: 16))-\(end) rw-p")
    let pointers = stacks.map { $0 + size / 2 }
    map.separateStacks(at: pointers, memory)
    map.markStacks(at: pointers)
    #expect(map.parts.map(\.use) == [.heap, .other, .stack, .other, .stack])
    let used = pointers.map { $0 - MemoryMap.redZone }
    #expect(map.parts.map(\.start) == [start, stacks[0], used[0], stacks[1], used[1]])
  }

  #if os(Linux)
    @Test("The map of this process contains its heap, stack, code and variables")
    func ownProcess() throws {
      let memory = try #require(ProcessMemory())
      var map = try #require(MemoryMap())
      map.markVariables(memory)
      let block = UnsafeMutablePointer<Int>.allocate(capacity: 1)
      defer { block.deallocate() }
      var local = 0
      let stack = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
      map.markStacks(at: [stack])
      #expect(map.part(of: stack)?.use == .stack)
      #expect(map.part(of: UInt(bitPattern: block))?.use == .heap)
      let metadata = Metadata.address(of: MemorySample.self)
      #expect(map.part(of: metadata)?.use == .variables)
      #expect(map.parts.contains { $0.use == .code })
      // The parts stay in order and apart from each other.
      #expect(zip(map.parts, map.parts.dropFirst()).allSatisfy { $0.end <= $1.start })
    }
  #endif
}

/// A class whose metadata is in the variables of the test binary.
private final class MemorySample {}
