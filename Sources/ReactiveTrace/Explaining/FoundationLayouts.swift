/// The objects of Foundation and of the standard library that count references by hand, or keep values
/// in memory after their fields.
extension RuntimeTypes {
  /// The fields whose references their owners count by hand, by class. They are unmanaged to the
  /// compiler (swift-corelibs-foundation, Sources/Foundation/Operation.swift).
  private static let countedByHand: [String: Set<String>] = [
    "Foundation.OperationQueue": ["__firstOperation"],
    "Foundation.Operation": ["__nextOperation"],
  ]

  /// Returns the fields of a class, of which some hold an object although the compiler does not know.
  func withFieldsCountedByHand(
    _ fields: [RuntimeType.Field], ofClass address: UInt
  ) -> [RuntimeType.Field] {
    guard fields.contains(where: { $0.name.hasPrefix("__") }),
      let names = Self.countedByHand[String(reflecting: Metadata.type(at: address))]
    else { return fields }
    let object = type(AnyObject.self)
    return fields.map { field in
      guard names.contains(field.name), field.size == object.size else { return field }
      return RuntimeType.Field(
        name: field.name, offset: field.offset, type: object, size: object.size)
    }
  }
}

/// The buffer of a queue of the standard library, in which an `AsyncStream` keeps its elements: the
/// header with capacity, number and first position, then the elements, which wrap around
/// (stdlib/public/Concurrency/Deque).
struct DequeBuffer {
  private static let header: UInt = 16
  private static let headerEnd = 40
  private static let maxElements: UInt = 1 << 16

  let element: RuntimeType
  private let address: UInt
  private let capacity: UInt
  private let count: UInt
  private let first: UInt

  /// Returns nil if the object is no such buffer.
  init?(_ object: Heap.Object, in heap: Heap) {
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

  /// The number of bytes of the object with its elements.
  var size: Int {
    let (size, overflows) = Int(capacity).multipliedReportingOverflow(by: element.stride)
    return overflows || size >= 1 << 40 ? Self.headerEnd : Int(start) + size
  }

  /// The addresses of the first elements.
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
    let name = String(reflecting: Metadata.type(at: object.metadata))
    let isDeque =
      name.hasPrefix("Swift._DequeBuffer<") || name.hasPrefix("_Concurrency._DequeBuffer<")
    deques[object.metadata] = isDeque
    return isDeque
  }

  /// Reports whether a place on the stack of a thread is one where the C library keeps a value of that
  /// thread under a key (`pthread_setspecific`).
  ///
  /// The C library keeps what it knows about a thread at the end of the memory for its stack. That
  /// begins with its own address (glibc, `tcbhead_t`). Each value stands next to a number that is odd
  /// while its key is in use.
  func isThreadValue(_ place: UInt, in part: MemoryMap.Part) -> Bool {
    guard let number = memory.word(place &- 8), number & 1 == 1, number < 1 << 16 else {
      return false
    }
    let reach: UInt = 4096
    var start = place & ~63
    while start > part.start, start &+ reach > place {
      if memory.word(start) == start, memory.word(start &+ 16) == start { return true }
      start &-= 64
    }
    return false
  }
}
