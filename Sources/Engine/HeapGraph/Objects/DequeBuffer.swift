import ProcessMemory
import SwiftRuntime

/// The buffer of the standard library's internal deque, which stores the elements of an
/// `AsyncStream`. The elements come after the header, and wrap around.
struct DequeBuffer {
  private static let maxElements: UInt = 1 << 16

  let element: RuntimeType
  private let address: UInt
  private let capacity: UInt
  private let count: UInt
  private let first: UInt

  /// Reads the header of a buffer. Returns nil if the object isn't such a buffer.
  init?(_ object: Heap.Object, in heap: Heap) {
    guard heap.isDeque(object), let element = heap.types.argument(0, ofClass: object.metadata),
      let capacity = heap.memory.word(object.address &+ DequeLayout.capacity),
      let count = heap.memory.word(object.address &+ DequeLayout.count),
      let first = heap.memory.word(object.address &+ DequeLayout.first),
      capacity < 1 << 40, count <= capacity, first <= capacity
    else { return nil }
    self.element = element
    self.capacity = capacity
    self.count = count
    self.first = first
    address = object.address
  }

  private var start: UInt {
    UInt(CollectionLayout.start(after: DequeLayout.headerEnd, alignment: element.alignment))
  }

  /// The number of bytes of the object, including its elements.
  var size: Int {
    let (size, overflows) = Int(capacity).multipliedReportingOverflow(by: element.stride)
    return overflows || size >= 1 << 40 ? DequeLayout.headerEnd : Int(start) + size
  }

  /// The addresses of the elements, at most `maxElements` of them.
  var elements: [UInt] {
    guard capacity > 0, element.hasReferences else { return [] }
    return (0..<min(count, Self.maxElements)).map { index in
      address &+ start &+ (first &+ index) % capacity * UInt(element.stride)
    }
  }
}

extension Heap {
  func isDeque(_ object: Object) -> Bool {
    guard object.kind == .instance else { return false }
    if let known = deques[object.metadata] { return known }
    let isDeque = DequeLayout.isBuffer(Metadata.type(at: object.metadata))
    deques[object.metadata] = isDeque
    return isDeque
  }
}
