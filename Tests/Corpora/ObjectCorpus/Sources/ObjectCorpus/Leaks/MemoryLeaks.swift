import Foundation

extension ObjectCase {
  /// The reference is in memory that Swift doesn't manage, and the memory is lost or reused.
  static var memoryLeaks: [ObjectCase] {
    [
      .leak("pointer-lost", .unreachable(["Texture": 1])) {
        UnsafeMutablePointer<Texture>.allocate(capacity: 1).initialize(to: Texture())
      },
      .leak("pointer-of-many-lost", .unreachable(["Texture": 20])) {
        let pointer = UnsafeMutablePointer<Texture>.allocate(capacity: 20)
        for index in 0..<20 { (pointer + index).initialize(to: Texture()) }
      },
      .leak("pointer-of-struct-lost", .unreachable(["Texture": 2])) {
        UnsafeMutablePointer<TexturePair>.allocate(capacity: 1)
          .initialize(to: TexturePair(size: 1, front: Texture(), back: Texture()))
      },
      // The memory is freed, but the reference in it isn't released.
      .leak("pointer-not-deinitialized", .unreachable(["Texture": 1])) {
        let pointer = UnsafeMutablePointer<Texture>.allocate(capacity: 1)
        pointer.initialize(to: Texture())
        pointer.deallocate()
      },
      // The second initialization doesn't release the first value.
      .leak("pointer-initialized-twice", .unreachable(["Texture": 1]), alive: ["Texture": 1]) {
        for _ in 0..<2 { Texture.slot.initialize(to: Texture()) }
      },
      .leak("pointer-shrunk", .unreachable(["Texture": 3]), alive: ["Texture": 1]) {
        let pointer = UnsafeMutablePointer<Texture>.allocate(capacity: 4)
        for index in 0..<4 { (pointer + index).initialize(to: Texture()) }
        Texture.slot.moveInitialize(from: pointer, count: 1)
        pointer.deallocate()
      },
      .leak("malloc-lost", .unreachable(["Texture": 1])) {
        let memory = malloc(64)
        memory?.storeBytes(
          of: Unmanaged.passRetained(Texture()).toOpaque(), toByteOffset: 16,
          as: UnsafeMutableRawPointer.self)
      },
      .leak("malloc-list-lost", .unreachable(["Texture": 10])) {
        var last: UnsafeMutableRawPointer?
        for _ in 0..<10 {
          let node = malloc(16)
          node?.storeBytes(of: last, as: UnsafeMutableRawPointer?.self)
          node?.storeBytes(
            of: Unmanaged.passRetained(Texture()).toOpaque(), toByteOffset: 8,
            as: UnsafeMutableRawPointer.self)
          last = node
        }
      },
      // The object and the C memory refer to each other. The reference in the memory is a raw word,
      // which could also be an old one, so the cycle isn't proven.
      .leak("malloc-cycle", .unreachable(["Kernel": 1])) {
        let kernel = Kernel()
        kernel.memory.storeBytes(
          of: Unmanaged.passRetained(kernel).toOpaque(), as: UnsafeMutableRawPointer.self)
      },
      .leak("memory-zeroed", .unreachable(["Texture": 1])) {
        Texture.slot.initialize(to: Texture())
        memset(Texture.slot, 0, 8)
      },
      .leak("memory-unmapped", .unreachable(["Texture": 1])) {
        let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, Int32(MAP_PRIVATE | MAP_ANON), -1, 0)
        memory?.storeBytes(
          of: Unmanaged.passRetained(Texture()).toOpaque(), as: UnsafeMutableRawPointer.self)
        munmap(memory, 4096)
      },
      // The buffer doesn't deinitialize its elements.
      .leak("managed-buffer-without-deinit", .unreachable(["Texture": 4])) {
        let buffer = ManagedBuffer<Int, Texture>.create(minimumCapacity: 4) { _ in 4 }
        buffer.withUnsafeMutablePointerToElements {
          for index in 0..<4 { ($0 + index).initialize(to: Texture()) }
        }
      },
    ]
  }
}

private struct TexturePair {
  let size: Int
  let front: Texture
  let back: Texture
}

private final class Texture {
  static let slot = UnsafeMutablePointer<Texture>.allocate(capacity: 1)

  init() { Life.begin(self, "Texture") }
  deinit { Life.end("Texture") }
}

private final class Kernel {
  let memory = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 8)

  init() { Life.begin(self, "Kernel") }
  deinit {
    memory.deallocate()
    Life.end("Kernel")
  }
}
