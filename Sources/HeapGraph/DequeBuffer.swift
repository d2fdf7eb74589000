package import SwiftRuntime

/// The buffer of the standard library's internal deque, which stores the elements of an
/// `AsyncStream`: a header with the capacity, the count and the first position, then the elements,
/// which wrap around (stdlib/public/Concurrency/Deque).
package struct DequeBuffer {
  private static let header: UInt = 16
  private static let headerEnd = 40
  private static let maxElements: UInt = 1 << 16

  package let element: RuntimeType
  private let address: UInt
  private let capacity: UInt
  private let count: UInt
  private let first: UInt

  /// Reads the header of a buffer. Returns nil if the object isn't such a buffer.
  package init?(_ object: Heap.Object, in heap: Heap) {
    guard heap.isDeque(object), let element = heap.types.argument(0, ofClass: object.metadata),
      let capacity = heap.memory.word(object.address &+ Self.header),
      let count = heap.memory.word(object.address &+ Self.header &+ 8),
      let first = heap.memory.word(object.address &+ Self.header &+ 16),
      capacity < 1 << 40, count <= capacity, first <= capacity
    else { return nil }
    self.element = element
    self.capacity = capacity
    self.count = count
    self.first = first
    address = object.address
  }

  private var start: UInt {
    UInt(CollectionLayout.start(after: Self.headerEnd, alignment: element.alignment))
  }

  /// The number of bytes of the object, including its elements.
  package var size: Int {
    let (size, overflows) = Int(capacity).multipliedReportingOverflow(by: element.stride)
    return overflows || size >= 1 << 40 ? Self.headerEnd : Int(start) + size
  }

  /// The addresses of the elements, at most `maxElements` of them.
  package var elements: [UInt] {
    guard capacity > 0, element.hasReferences else { return [] }
    return (0..<min(count, Self.maxElements)).map { index in
      address &+ start &+ (first &+ index) % capacity * UInt(element.stride)
    }
  }
}

extension Heap {
  package func isDeque(_ object: Object) -> Bool {
    guard object.kind == .instance else { return false }
    if let known = deques[object.metadata] { return known }
    let name = String(reflecting: Metadata.type(at: object.metadata))
    let isDeque =
      name.hasPrefix("Swift._DequeBuffer<") || name.hasPrefix("_Concurrency._DequeBuffer<")
    deques[object.metadata] = isDeque
    return isDeque
  }
}
