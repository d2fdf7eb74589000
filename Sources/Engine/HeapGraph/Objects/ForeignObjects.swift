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

  func blockDataSize(_ address: UInt) -> UInt? {
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

  func isDispatchValue(_ address: UInt) -> Bool {
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
}

extension Heap.Object {
  /// A Boolean value that indicates whether this is an object of libdispatch, or a part of one.
  var isPartOfDispatch: Bool {
    if case .dispatch = kind { return true }
    return false
  }
}
