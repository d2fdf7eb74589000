import ProcessMemory
import SwiftRuntime

/// The references in blocks and in libdispatch's objects.
extension Heap {
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
