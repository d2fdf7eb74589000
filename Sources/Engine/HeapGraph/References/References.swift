import ProcessMemory
package import SwiftRuntime

/// A strong reference from one object to another.
package struct Reference {
  package let target: UInt
  /// The path from the start of the object to the reference, such as `state.handlers`. Empty for
  /// captured values, and if names weren't requested.
  package var name: String
  /// The declared type of the place, or 0 if unknown.
  package var type: UInt
  /// The address of the code, if the target is the context of a closure.
  package var code: UInt
  /// A Boolean value that indicates whether the reference is described. It is false if the
  /// reference was found by scanning words whose meaning is unknown.
  package var isCertain: Bool

  package init(
    target: UInt, name: String = "", type: UInt = 0, code: UInt = 0, isCertain: Bool = true
  ) {
    self.target = target
    self.name = name
    self.type = type
    self.code = code
    self.isCertain = isCertain
  }
}

extension Heap {
  /// Returns the strong references in an object.
  ///
  /// - Parameter named: Whether to include the path to each reference. That takes several times as
  ///   long.
  package func references(from object: Object, named: Bool = false) -> [Reference] {
    var reader = ReferenceReader(self, named: named)
    switch object.kind {
    case .instance: readInstance(object, &reader)
    case .array: readArray(object, &reader)
    case .dictionary: readDictionary(object, &reader)
    case .set: readSet(object, &reader)
    case .closure: readClosure(object, &reader)
    case .box:
      guard let type = memory.word(object.metadata &+ BoxLayout.type), isType(type) else { break }
      let offset = valueOffset(memory.half(object.metadata &+ BoxLayout.value))
      reader.readValue(
        types.type(Metadata.type(at: type)), at: object.address &+ UInt(offset), name: "")
    case .errorBox:
      guard let type = memory.word(object.address &+ ErrorBoxLayout.type), isType(type) else {
        break
      }
      let described = types.type(Metadata.type(at: type))
      let start = CollectionLayout.start(
        after: ErrorBoxLayout.header, alignment: described.alignment)
      reader.readValue(described, at: object.address &+ UInt(start), name: "")
    case .task: readTask(object, &reader)
    case .block, .dispatch: foreignReferences(from: object, &reader)
    }
    return reader.references
  }

  /// Returns the part of an object after the header.
  private func contents(of object: Object, size: Int) -> Range<UInt> {
    let header = UInt(ObjectLayout.header)
    return object.address &+ header..<object.address &+ max(UInt(size), header)
  }

  private func readInstance(_ object: Object, _ reader: inout ReferenceReader) {
    if let deque = DequeBuffer(object, in: self) {
      for element in deque.elements { reader.readValue(deque.element, at: element, name: "[...]") }
      return
    }
    guard let fields = types.fields(ofClass: object.metadata) else {
      // A superclass isn't described.
      return reader.scan(contents(of: object, size: size(of: object)), name: "")
    }
    reader.readFields(fields, at: object.address, name: "")
    if let wrapped = wrappedReference(object) { reader.append(wrapped) }
  }

  /// The maximum number of elements that are read from one collection.
  private static let maxElements = 1 << 16

  /// Reports whether a collection with references has more elements than are read.
  func hasMoreElements(_ object: Object) -> Bool {
    let arguments: Int
    switch object.kind {
    case .array, .set: arguments = 1
    case .dictionary: arguments = 2
    default: return false
    }
    guard let count = memory.word(object.address &+ CollectionLayout.count),
      count > UInt(Self.maxElements)
    else {
      return false
    }
    return (0..<arguments).contains {
      types.argument($0, ofClass: object.metadata)?.hasReferences == true
    }
  }

  private func readArray(_ object: Object, _ reader: inout ReferenceReader) {
    guard let element = types.argument(0, ofClass: object.metadata), element.hasReferences,
      let count = memory.word(object.address &+ CollectionLayout.count)
    else { return }
    var address = object.address &+ UInt(Self.arrayStart(element))
    for index in 0..<min(count, UInt(Self.maxElements)) {
      reader.readValue(element, at: address, name: reader.named ? "[\(index)]" : "")
      address &+= UInt(element.stride)
    }
  }

  private func readDictionary(_ object: Object, _ reader: inout ReferenceReader) {
    guard let key = types.argument(0, ofClass: object.metadata),
      let value = types.argument(1, ofClass: object.metadata)
    else { return }
    let keys = memory.word(object.address &+ CollectionLayout.keys) ?? 0
    let values = memory.word(object.address &+ CollectionLayout.values) ?? 0
    visitBuckets(object, bitmap: CollectionLayout.dictionaryBits) { bucket in
      reader.readValue(key, at: keys &+ bucket * UInt(key.stride), name: ".key")
      reader.readValue(value, at: values &+ bucket * UInt(value.stride), name: "[...]")
    }
  }

  private func readSet(_ object: Object, _ reader: inout ReferenceReader) {
    guard let element = types.argument(0, ofClass: object.metadata) else { return }
    let elements = memory.word(object.address &+ CollectionLayout.keys) ?? 0
    visitBuckets(object, bitmap: CollectionLayout.setBits) { bucket in
      reader.readValue(element, at: elements &+ bucket * UInt(element.stride), name: "[...]")
    }
  }

  /// The logarithm of the number of buckets that a dictionary or set can have in memory.
  private static let maxScale: UInt = 40

  /// Returns the logarithm of the number of buckets of a dictionary or set.
  func scale(of object: Object) -> UInt? {
    memory.word(object.address &+ CollectionLayout.scale).map { $0 & CollectionLayout.scaleMask }
      .flatMap { $0 < Self.maxScale ? $0 : nil }
  }

  /// Calls `body` with the number of each used bucket of a dictionary or set.
  private func visitBuckets(_ object: Object, bitmap: UInt, _ body: (UInt) -> Void) {
    guard let scale = scale(of: object) else { return }
    let buckets = UInt(1) << scale
    var left = Self.maxElements
    for index in 0..<max(1, buckets / 64) {
      guard var word = memory.word(object.address &+ bitmap &+ index * 8) else { return }
      if buckets < 64 { word &= 1 << buckets - 1 }
      while word != 0 {
        guard left > 0 else { return }
        left -= 1
        body(index * 64 + UInt(word.trailingZeroBitCount))
        word &= word - 1
      }
    }
  }

  private func readClosure(_ object: Object, _ reader: inout ReferenceReader) {
    guard let layout = closureLayout(object) else {
      // In a context without a description, words can have any meaning.
      guard let size = contextSize(object) else { return }
      return reader.scan(contents(of: object, size: size), name: "")
    }
    for capture in layout.captures {
      if case .notStrong = capture.ownership { continue }
      reader.readValue(capture.type, at: object.address &+ UInt(capture.offset), name: "")
    }
  }

  /// Returns the addresses where a Task and its callers resume, innermost first.
  package func resumeAddresses(ofTask task: Object) -> [UInt] {
    TaskReader(memory: memory, map: map, metadata: task.metadata)
      .resumeAddresses(of: task.address).calls
  }

  /// Reports whether a Task waits for a continuation.
  package func waitsForContinuation(_ task: Object) -> Bool {
    memory.waitsForContinuation(taskAt: task.address)
  }

  /// The maximum number of slabs that are read from one Task.
  private static let maxSlabs = 64
  /// The minimum size of a slab in bytes, if slabs can't be recognized by their marker.
  private static let minSlabSize = 256

  /// Scans all words of a Task and of the memory for its asynchronous frames, which don't have a
  /// description.
  private func readTask(_ object: Object, _ reader: inout ReferenceReader) {
    // The memory of a Task that has ended has only remains, apart from its result.
    let status = memory.word(object.address &+ TaskLayout.status).map { TaskStatus($0) }
    guard status?.isComplete != true else { return }
    let range = contents(of: object, size: size(of: object))
    reader.scan(range, name: "")
    var seen: Set<UInt> = [object.address]
    var slabs = [range]
    while let slab = slabs.popLast(), seen.count < Self.maxSlabs {
      for address in stride(from: slab.lowerBound, to: slab.upperBound &- 7, by: 8) {
        // A slab is a large block of the Task that isn't an object.
        guard let word = memory.word(address), word & ObjectLayout.alignmentMask == 0,
          !seen.contains(word)
        else {
          continue
        }
        if let next = self.slab(at: word) {
          seen.insert(word)
          reader.scan(next, name: "")
          slabs.append(next)
          continue
        }
        guard let size = blockSize(word), size >= Self.minSlabSize, self.object(at: word) == nil,
          memory.word(word).map({ kind(ofMetadata: $0) == nil && !isType($0) }) == true
        else { continue }
        seen.insert(word)
        let range = word..<word &+ UInt(size)
        reader.scan(range, name: "")
        slabs.append(range)
        if seen.count >= Self.maxSlabs { return }
      }
    }
  }
}

/// A reader that collects the references in the parts of one object.
package struct ReferenceReader {
  let heap: Heap
  let named: Bool
  package private(set) var references: [Reference] = []
  /// The nesting depth of the type that is read, which is limited.
  private var depth = 0

  package init(_ heap: Heap, named: Bool) {
    self.heap = heap
    self.named = named
  }

  mutating func append(_ reference: Reference) { references.append(reference) }

  /// Reads the value of a type at an address.
  package mutating func readValue(_ type: RuntimeType, at address: UInt, name: String) {
    guard type.hasReferences, type.size > 0, type.size <= 1 << 16 else { return }
    withUnsafeTemporaryAllocation(byteCount: type.size + 8, alignment: 16) { bytes in
      guard let start = bytes.baseAddress,
        heap.memory.read(address, into: start, count: type.size)
      else { return }
      read(type, start, name)
    }
  }

  mutating func readFields(_ fields: [RuntimeType.Field], at address: UInt, name: String) {
    for field in fields {
      let path = named ? join(name, field.name) : ""
      switch field.ownership {
      case .notStrong: continue
      case .unknown:
        let start = (address &+ UInt(field.offset) &+ 7) & ~7
        if field.size == ObjectLayout.reference, let block = heap.memory.word(start),
          heap.object(at: block)?.kind == .block
        {
          // The runtime doesn't describe types that contain a block.
          append(Reference(target: block, name: path))
          continue
        }
        scan(start..<max(start, address &+ UInt(field.offset + field.size)), name: path)
      case .strong:
        readValue(field.type, at: address &+ UInt(field.offset), name: path)
      }
    }
  }

  private func join(_ name: String, _ part: String) -> String {
    if name.isEmpty { return part }
    if part.isEmpty { return name }
    return part.hasPrefix("[") ? name + part : "\(name).\(part)"
  }

  /// Reads a copy of a value.
  private mutating func read(
    _ type: RuntimeType, _ bytes: UnsafeMutableRawPointer, _ name: String
  ) {
    guard type.hasReferences, depth < 32 else { return }
    depth += 1
    defer { depth -= 1 }
    switch type.shape {
    case .plain: break
    case .reference, .error:
      add(bytes.loadUnaligned(as: UInt.self), type, name)
    case .function:
      add(
        bytes.loadUnaligned(fromByteOffset: FunctionValueLayout.context, as: UInt.self), type, name,
        code: heap.code(bytes.loadUnaligned(as: UInt.self)))
    case .existential: readExistential(bytes, type, name)
    case .fields(let fields):
      for field in fields {
        let path = named ? join(name, field.name) : ""
        switch field.ownership {
        case .notStrong: continue
        case .unknown: scanCopy(bytes + field.offset, count: field.size, path)
        case .strong: read(field.type, bytes + field.offset, path)
        }
      }
    case .cases(let payloads): readCase(payloads, type, bytes, name)
    case .table(let table): readTable(table, bytes, name)
    case .opaque:
      if type.size == ObjectLayout.reference {
        add(bytes.loadUnaligned(as: UInt.self), type, name)
      } else {
        scanCopy(bytes, count: type.size, name)
      }
    }
  }

  private mutating func readExistential(
    _ bytes: UnsafeMutableRawPointer, _ type: RuntimeType, _ name: String
  ) {
    let metadata = bytes.loadUnaligned(fromByteOffset: ExistentialLayout.type, as: UInt.self)
    guard heap.isType(metadata) else { return }
    let inner = heap.types.type(Metadata.type(at: metadata))
    if inner.size <= ExistentialLayout.inlineSize,
      inner.alignment <= ExistentialLayout.inlineAlignment, inner.isInline
    {
      read(inner, bytes, name, declared: type)
    } else {
      add(bytes.loadUnaligned(as: UInt.self), type, name)
    }
  }

  /// Reads a value in an existential container. The declared type of its references is that of the
  /// container.
  private mutating func read(
    _ inner: RuntimeType, _ bytes: UnsafeMutableRawPointer, _ name: String, declared: RuntimeType
  ) {
    let first = references.count
    read(inner, bytes, name)
    for index in first..<references.count { references[index].type = declared.address }
  }

  private mutating func readCase(
    _ payloads: [RuntimeType.Payload?], _ type: RuntimeType, _ bytes: UnsafeMutableRawPointer,
    _ name: String
  ) {
    guard let witnesses = ValueWitnesses(type.address), witnesses.isEnumeration else { return }
    let number = witnesses.caseNumber(of: bytes)
    guard number < payloads.count, let payload = payloads[number] else { return }
    withUnsafeTemporaryAllocation(byteCount: max(type.size, 8), alignment: 16) { copy in
      guard let start = copy.baseAddress else { return }
      start.copyMemory(from: bytes, byteCount: type.size)
      witnesses.extractPayload(start)
      if payload.isIndirect {
        add(start.loadUnaligned(as: UInt.self), payload.type, name)
      } else if payload.type.size <= type.size {
        // The payload of an optional has the name of the field that contains it.
        let isSome = payload.name == "some"
        read(payload.type, start, named && !isSome ? join(name, payload.name) : name)
      }
    }
  }

  private mutating func readTable(
    _ table: ReferenceTable, _ bytes: UnsafeMutableRawPointer, _ name: String
  ) {
    let slots = bytes.loadUnaligned(fromByteOffset: table.slots, as: UInt.self)
    let count = bytes.loadUnaligned(fromByteOffset: table.count, as: UInt.self)
    guard slots != 0, count < 1 << 32 else { return }
    for index in 0..<count {
      let slot = slots &+ index * UInt(table.slotSize) &+ UInt(table.reference)
      guard let entry = heap.memory.word(slot) else { return }
      if entry != 0 { references.append(Reference(target: entry, name: name)) }
    }
  }

  /// Adds a reference unless it is null. Clears the bits that the runtime uses as flags.
  private mutating func add(
    _ word: UInt, _ type: RuntimeType, _ name: String, code: UInt = 0
  ) {
    let target = word & ObjectLayout.addressBits
    guard target != 0 else { return }
    references.append(Reference(target: target, name: name, type: type.address, code: code))
  }

  /// Adds all words in a range of addresses that are addresses of objects.
  mutating func scan(_ range: Range<UInt>, name: String) {
    guard range.count >= 8 else { return }
    for address in stride(from: range.lowerBound, through: range.upperBound - 8, by: 8) {
      guard let word = heap.memory.word(address), heap.object(at: word) != nil else { continue }
      let before = heap.memory.word(address &- UInt(FunctionValueLayout.context)) ?? 0
      references.append(
        Reference(target: word, name: name, code: heap.code(before), isCertain: false))
    }
  }

  private mutating func scanCopy(
    _ bytes: UnsafeMutableRawPointer, count: Int, _ name: String
  ) {
    for offset in stride(from: 0, through: count - 8, by: 8) {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt.self)
      if heap.object(at: word) != nil {
        references.append(Reference(target: word, name: name, isCertain: false))
      }
    }
  }
}
