import CRuntime.OwnProcess
import ProcessMemory
import SwiftRuntime

/// Blocks and libdispatch's objects. They retain closures of the user, but don't have descriptions.
///
/// A block is the C form of a closure.
extension Heap {
  /// Returns the kind of the object at an address whose first word isn't metadata.
  func foreignKind(at address: UInt, first: UInt) -> Kind? {
    if first == blockClass { return isBlock(address) ? .block : nil }
    // Searches test millions of words, and most of them are neither.
    guard first &- 1 < DispatchLayout.maxFlags || first &- dispatchImage.start < dispatchImage.size
    else { return nil }
    return dispatch?.kind(at: address, first: first).map { .dispatch($0) }
  }

  private func isBlock(_ address: UInt) -> Bool {
    guard blockClass != 0, let flags = memory.half(address &+ BlockLayout.flags),
      flags & BlockLayout.isOnHeap != 0, flags & BlockLayout.references != 0,
      let function = memory.word(address &+ BlockLayout.function), isCode(function),
      let descriptor = memory.word(address &+ BlockLayout.descriptor), isConstant(descriptor)
    else { return false }
    return blockDataSize(address) != nil
  }

  private func blockDataSize(_ address: UInt) -> UInt? {
    memory.word(address &+ BlockLayout.descriptor)
      .flatMap { memory.word($0 &+ BlockLayout.size) }
      .flatMap { (BlockLayout.captures...1 << 16).contains($0) ? $0 : nil }
  }

  func foreignSize(of object: Object) -> Int {
    switch object.kind {
    case .block: return Int(blockDataSize(object.address) ?? BlockLayout.captures)
    case .dispatch(let kind):
      switch kind {
      case .queue, .source: return DispatchLayout.queueSize
      case .group: return DispatchLayout.groupSize
      case .sourceState: return DispatchLayout.sourceStateSize
      case .item: return DispatchLayout.itemSize
      case .values: return DispatchLayout.valuesSize
      case .value: return DispatchLayout.valueSize
      }
    default: return ObjectLayout.header
    }
  }

  /// Returns the part of a libdispatch object in a block of the allocator, if the part starts after
  /// the start of the block or doesn't have its own marker.
  func dispatchPart(in block: Range<UInt>) -> Object? {
    typealias Layout = DispatchLayout
    guard dispatch != nil, Layout.partSizes.contains(block.count) else { return nil }
    if let state = sourceState(at: block.lowerBound &+ Layout.linkageSize) { return state }
    if block.count >= Layout.valueSize, isDispatchValue(block.lowerBound) {
      return Object(address: block.lowerBound, kind: .dispatch(.value), metadata: 0)
    }
    if let first = memory.word(block.lowerBound &+ Layout.firstValue), isDispatchValue(first),
      memory.word(first &+ Layout.previousValue) == 0
    {
      return Object(address: block.lowerBound, kind: .dispatch(.values), metadata: 0)
    }
    return nil
  }

  /// Returns the queue-specific value, or the list of such values, that has a reference at a place.
  func dispatchValue(with place: UInt) -> Object? {
    typealias Layout = DispatchLayout
    guard dispatch != nil else { return nil }
    if isDispatchValue(place &- Layout.valueContext) {
      return Object(
        address: place &- Layout.valueContext, kind: .dispatch(.value), metadata: 0)
    }
    guard let value = memory.word(place), isDispatchValue(value) else { return nil }
    return memory.word(value &+ Layout.previousValue) == 0
      ? Object(address: place &- Layout.firstValue, kind: .dispatch(.values), metadata: 0)
      : Object(address: place &- Layout.nextValue, kind: .dispatch(.value), metadata: 0)
  }

  /// Returns the state of a source at an address that isn't a multiple of the alignment of objects.
  func sourceState(at address: UInt) -> Object? {
    guard address & ObjectLayout.alignmentMask == DispatchLayout.sourceStateRemainder,
      let first = memory.word(address),
      first &- dispatchImage.start < dispatchImage.size,
      dispatch?.kind(at: address, first: first) == .sourceState
    else { return nil }
    return Object(address: address, kind: .dispatch(.sourceState), metadata: 0)
  }

  private func isDispatchValue(_ address: UInt) -> Bool {
    typealias Layout = DispatchLayout
    guard address & ObjectLayout.alignmentMask == 0, address != 0,
      let destructor = memory.word(address &+ Layout.valueDestructor), isCode(destructor),
      let next = memory.word(address &+ Layout.nextValue),
      let previous = memory.word(address &+ Layout.previousValue)
    else { return false }
    return (next == 0 || memory.word(next &+ Layout.previousValue) == address)
      && (previous == 0 || memory.word(previous &+ Layout.nextValue) == address)
  }

  /// Returns the queue that contains an address in libdispatch's variables, or nil if there isn't
  /// one.
  func staticQueue(around place: UInt) -> Object? {
    guard dispatch != nil else { return nil }
    var start = place & ~ObjectLayout.alignmentMask
    let lowest = place &- UInt(DispatchLayout.queueSize)
    while start > lowest {
      if let object = object(at: start), object.kind == .dispatch(.queue) { return object }
      start &-= ObjectLayout.alignment
    }
    return nil
  }

  /// Reports whether an object is a variable of the program or of a library.
  func isVariable(_ object: Object) -> Bool {
    map.part(of: object.address)?.use == .variables
  }

  // MARK: References

  func foreignReferences(from object: Object, _ reader: inout ReferenceReader) {
    switch object.kind {
    case .block: readBlock(object.address, &reader)
    case .dispatch(let kind): readDispatch(object.address, kind, &reader)
    default: break
    }
  }

  private func readBlock(_ block: UInt, _ reader: inout ReferenceReader) {
    guard let size = blockDataSize(block) else { return }
    let first = memory.word(block &+ BlockLayout.captures)
    if first == DispatchLayout.workItemMark, size > DispatchLayout.workItemGroup {
      reader.add(memory.word(block &+ DispatchLayout.workItemBlock))
      reader.add(memory.word(block &+ DispatchLayout.workItemGroup))
    } else if size == BlockLayout.closureSize, let first, isCode(first) {
      reader.add(memory.word(block &+ BlockLayout.closureContext), code: first)
    } else {
      reader.scan(block &+ BlockLayout.captures..<block &+ size, name: "")
    }
  }

  private func readDispatch(
    _ address: UInt, _ kind: DispatchLayout.Kind, _ reader: inout ReferenceReader
  ) {
    typealias Layout = DispatchLayout
    func add(_ offset: UInt) { reader.add(memory.word(address &+ offset)) }
    switch kind {
    case .queue:
      add(Layout.firstItem)
      add(Layout.valuesOrState)
      readValues(of: address, &reader)
      add(Layout.targetQueue)
    case .group: add(Layout.firstNotification)
    case .source:
      add(Layout.valuesOrState)
      add(Layout.targetQueue)
    case .sourceState: Layout.handlers.forEach(add)
    case .item:
      guard let flags = memory.word(address) else { return }
      // Work that waits for another queue has the address of a table instead of flags.
      if flags > Layout.lastFlags {
        add(Layout.other)
      } else {
        if flags & Layout.hasBlock != 0 { add(Layout.context) }
        if flags & Layout.hasGroup != 0 { add(Layout.data) }
      }
      add(Layout.next)
    case .values: add(Layout.firstValue)
    case .value:
      add(Layout.valueContext)
      add(Layout.nextValue)
    }
  }

  /// The maximum number of values that are read from one queue.
  private static let maxValues = 64

  /// Adds a queue's specific values. Their list doesn't have its own marker.
  private func readValues(of queue: UInt, _ reader: inout ReferenceReader) {
    typealias Layout = DispatchLayout
    guard let values = memory.word(queue &+ Layout.valuesOrState), values != 0,
      var value = memory.word(values &+ Layout.firstValue)
    else { return }
    for _ in 0..<Self.maxValues where isDispatchValue(value) {
      reader.add(memory.word(value &+ Layout.valueContext))
      value = memory.word(value &+ Layout.nextValue) ?? 0
    }
  }

  /// Returns the reference of a Dispatch overlay object to the libdispatch object that it wraps.
  func wrappedReference(_ object: Object) -> Reference? {
    guard dispatch != nil, let offset = wrappedOffset(object.metadata),
      let word = memory.word(object.address &+ offset), word != 0
    else { return nil }
    return Reference(target: word)
  }

  private func wrappedOffset(_ metadata: UInt) -> UInt? {
    if let known = wrappers[metadata] { return known }
    let isOfDispatch = String(reflecting: Metadata.type(at: metadata)).hasPrefix("Dispatch.")
    let field = isOfDispatch ? types.fields(ofClass: metadata) : nil
    let offset = field?.first { $0.name == "__wrapped" }.map { UInt($0.offset) }
    wrappers[metadata] = .some(offset)
    return offset
  }
}

extension ReferenceReader {
  /// Adds a reference of an object that isn't a Swift object, unless the reference is null.
  fileprivate mutating func add(_ target: UInt?, code: UInt = 0) {
    guard let target, target != 0 else { return }
    append(Reference(target: target, code: code))
  }
}

extension Heap.Object {
  /// A Boolean value that indicates whether this is an object of libdispatch, or a part of one.
  var isPartOfDispatch: Bool {
    if case .dispatch = kind { return true }
    return false
  }
}

extension ReferenceGraph {
  /// Reports whether an object keeps itself, and the objects that it retains, alive while it waits.
  ///
  /// - Parameter held: The object that it retains on the path to the subscription.
  func holdsItself(_ object: Heap.Object, to held: Heap.Object?) -> Bool {
    switch object.kind {
    case .dispatch(.queue), .dispatch(.group): return held?.kind == .dispatch(.item)
    case .dispatch(.source): return heap.dispatch?.isLater(object.address) ?? false
    case .instance: return isTimer(object)
    default: return false
    }
  }

  /// Reports whether an object is a Foundation timer. Without Objective-C, `Timer` retains itself
  /// for its run loop and never releases that reference.
  func isTimer(_ object: Heap.Object) -> Bool {
    guard object.kind == .instance else { return false }
    if let known = timers[object.metadata] { return known }
    let name = String(reflecting: Metadata.type(at: object.metadata))
    timers[object.metadata] = name == "Foundation.Timer"
    return name == "Foundation.Timer"
  }

  /// Reports whether a cycle of objects is a user error: it leads through one of the user's
  /// objects, or through a handler that retains its own source. This library doesn't use sources.
  func isOfUser(_ objects: [Heap.Object]) -> Bool {
    objects.contains(where: isOfUser)
      || objects.contains { $0.kind == .block } && objects.contains { isSource($0) }
  }

  private func isSource(_ object: Heap.Object) -> Bool {
    heap.classType(object).map { String(reflecting: $0) } == "Dispatch.DispatchSource"
  }
}
