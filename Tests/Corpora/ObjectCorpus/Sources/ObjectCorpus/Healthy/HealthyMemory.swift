import Foundation

extension ObjectCase {
  /// Memory that Swift doesn't manage has the only reference.
  static var healthyMemory: [ObjectCase] {
    [
      // The block has the size of a side table, and a similar content.
      .healthy("memory-like-side-table", alive: ["Item": 1]) {
        let item = Item()
        item.next = item
        let block = Memory.makeBlock(32)
        block.storeBytes(
          of: Unmanaged.passUnretained(item).toOpaque(), as: UnsafeMutableRawPointer.self)
        block.storeBytes(of: 1 << 33 | 3, toByteOffset: 16, as: UInt.self)
        block.storeBytes(of: 1, toByteOffset: 24, as: UInt.self)
        Memory.raw = block
      },
      .healthy("pointer", alive: ["Item": 3]) {
        Memory.items.initialize(repeating: Item(), count: 1)
        for index in 1..<3 { (Memory.items + index).initialize(to: Item()) }
      },
      .healthy("pointer-in-object", alive: ["Item": 2]) {
        let holder = PointerHolder()
        for index in 0..<2 { (holder.items + index).initialize(to: Item()) }
        Memory.any = holder
      },
      .healthy("buffer-pointer", alive: ["Item": 4]) {
        let buffer = UnsafeMutableBufferPointer<Item>.allocate(capacity: 4)
        for index in 0..<4 { buffer.initializeElement(at: index, to: Item()) }
        Memory.buffer = buffer
        precondition(opaque(Memory.buffer)?.count == 4)
      },
      .healthy("pointer-of-structs", alive: ["Item": 4]) {
        Memory.records = .allocate(capacity: 2)
        for index in 0..<2 {
          Memory.records?.advanced(by: index).initialize(
            to: Record(number: index, first: Item(), name: "A", rest: (2, Item())))
        }
      },
      .healthy("c-memory", alive: ["Item": 1]) {
        let memory = Memory.makeBlock(64)
        memory.storeBytes(of: Item.makeRaw(), toByteOffset: 24, as: UnsafeMutableRawPointer.self)
        Memory.raw = memory
      },
      .healthy("c-list", alive: ["Item": 10]) {
        for _ in 0..<10 {
          let node = Memory.makeBlock(16)
          node.storeBytes(of: Memory.raw, as: UnsafeMutableRawPointer?.self)
          node.storeBytes(of: Item.makeRaw(), toByteOffset: 8, as: UnsafeMutableRawPointer.self)
          Memory.raw = node
        }
      },
      .healthy("c-tree", alive: ["Item": 50]) {
        for _ in 0..<50 {
          // The order doesn't matter.
          tsearch(Item.makeRaw(), &Memory.tree) { _, _ in -1 }
        }
      },
      // In a static executable, only its elements tell it from a table of the Swift runtime, which
      // begins with its capacity and has the number of its elements in a variable before it.
      .healthy("c-table", alive: ["Item": 3]) {
        let block = Memory.makeBlock(32)
        block.storeBytes(of: 3, as: UInt.self)
        for offset in [8, 16, 24] {
          let item = Item.makeRaw()
          block.storeBytes(of: item, toByteOffset: offset, as: UnsafeMutableRawPointer.self)
        }
        Memory.table = (1 << 32, block)
        precondition(opaque(Memory.table).0 != 0)
      },
      // A word of the memory is either a number or a reference.
      .healthy("c-union", alive: ["Item": 2]) {
        let memory = Memory.makeBlock(64)
        for index in 0..<4 {
          memory.storeBytes(of: index % 2, toByteOffset: index * 16, as: Int.self)
          let word = index % 2 == 0 ? 4096 : UInt(bitPattern: Item.makeRaw())
          memory.storeBytes(of: word, toByteOffset: index * 16 + 8, as: UInt.self)
        }
        Memory.raw = memory
      },
      .healthy("tagged-pointer", alive: ["Item": 2]) {
        Memory.words = [1, 7].map { UInt(bitPattern: Item.makeRaw()) | $0 }
      },
      .healthy("bit-pattern", alive: ["Item": 1]) {
        Memory.word = UInt(bitPattern: Item.makeRaw())
        precondition(opaque(Memory.word) != 0)
      },
      .healthy("opaque-pointer", alive: ["Item": 1]) {
        Memory.opaquePointer = OpaquePointer(Item.makeRaw())
        precondition(opaque(Memory.opaquePointer) != nil)
      },
      .healthy("mapped-memory", alive: ["Item": 1]) {
        let memory = Memory.map(MAP_PRIVATE)
        memory.storeBytes(of: Item.makeRaw(), toByteOffset: 128, as: UnsafeMutableRawPointer.self)
        Memory.raw = memory
      },
      .healthy("mapped-shared-memory", alive: ["Item": 1]) {
        let memory = Memory.map(MAP_SHARED)
        memory.storeBytes(of: Item.makeRaw(), toByteOffset: 128, as: UnsafeMutableRawPointer.self)
        Memory.raw = memory
      },
      // A ring of pointers in mapped memory, whose indices are in its first words.
      .healthy("mapped-ring", alive: ["Item": 100]) {
        let memory = Memory.map(MAP_SHARED)
        for index in 0..<100 {
          memory.storeBytes(
            of: Item.makeRaw(), toByteOffset: 64 + index * 8, as: UnsafeMutableRawPointer.self)
        }
        memory.storeBytes(of: 100, as: Int.self)
        Memory.raw = memory
      },
      .healthy("managed-buffer", alive: ["Item": 4, "ItemBuffer": 1]) {
        Memory.any = ItemBuffer.make(count: 4)
      },
      // The global variable points to the elements of the object.
      .healthy("interior-pointer", alive: ["Item": 4, "ItemBuffer": 1]) {
        let buffer = ItemBuffer.make(count: 4)
        Memory.interior = buffer.withUnsafeMutablePointerToElements { $0 + 1 }
        _ = Unmanaged.passRetained(buffer)
        precondition(opaque(Memory.interior) != nil)
      },
      // The global variable points to a property of the object.
      .healthy("interior-pointer-to-property", alive: ["Item": 1]) {
        Memory.raw = Item.makeRaw() + 16
      },
      .healthy("pointer-to-pointer", alive: ["Item": 1]) {
        let inner = Memory.makeBlock(8)
        inner.storeBytes(of: Item.makeRaw(), as: UnsafeMutableRawPointer.self)
        let outer = Memory.makeBlock(8)
        outer.storeBytes(of: inner, as: UnsafeMutableRawPointer.self)
        Memory.raw = outer
      },
      // An `Unmanaged` in a property owns the retain count, as in a wrapper of a C library.
      .healthy("context-of-c-library", alive: ["Item": 1]) {
        let library = Memory.makeBlock(32)
        library.storeBytes(of: Item.makeRaw(), as: UnsafeMutableRawPointer.self)
        library.storeBytes(
          of: { Unmanaged<Item>.fromOpaque($0).takeUnretainedValue().use() }, toByteOffset: 8,
          as: (@convention(c) (UnsafeMutableRawPointer) -> Void).self)
        Memory.raw = library
      },
    ]
  }
}

enum Memory {
  static let items = UnsafeMutablePointer<Item>.allocate(capacity: 4)
  static var any: AnyObject?
  static var buffer: UnsafeMutableBufferPointer<Item>?
  static var records: UnsafeMutablePointer<Record>?
  static var raw: UnsafeMutableRawPointer?
  static var tree: UnsafeMutableRawPointer?
  static var table: (UInt, UnsafeMutableRawPointer?) = (0, nil)
  static var words: [UInt] = []
  static var word: UInt = 0
  static var opaquePointer: OpaquePointer?
  static var interior: UnsafeMutablePointer<Item>?

  /// Returns memory of the C library, with zeros.
  static func makeBlock(_ size: Int) -> UnsafeMutableRawPointer {
    guard let block = calloc(1, size) else { fatalError("There isn't enough memory.") }
    return block
  }

  static func map(_ flag: Int32) -> UnsafeMutableRawPointer {
    guard
      let memory = mmap(nil, 1 << 16, PROT_READ | PROT_WRITE, Int32(flag | Int32(MAP_ANON)), -1, 0),
      memory != MAP_FAILED
    else { fatalError("The memory can't be mapped.") }
    return memory
  }
}

private final class PointerHolder {
  let items = UnsafeMutablePointer<Item>.allocate(capacity: 2)

  deinit {
    items.deinitialize(count: 2)
    items.deallocate()
  }
}

private final class ItemBuffer: ManagedBuffer<Int, Item> {
  static func make(count: Int) -> ItemBuffer {
    let buffer = create(minimumCapacity: count) { _ in count }
    buffer.withUnsafeMutablePointerToElements {
      for index in 0..<count { ($0 + index).initialize(to: Item()) }
    }
    Life.begin(buffer, "ItemBuffer")
    return unsafeDowncast(buffer, to: ItemBuffer.self)
  }
  deinit {
    withUnsafeMutablePointers { _ = $1.deinitialize(count: $0.pointee) }
    Life.end("ItemBuffer")
  }
}
