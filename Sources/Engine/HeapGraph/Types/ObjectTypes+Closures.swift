package import CRuntime.Heap
import ProcessMemory
import SwiftRuntime

/// What closures capture.
extension ObjectTypes {
  struct Captures {
    /// A bit for each of the first 64 words of the context: it is a weak or an unowned reference.
    var weak: UInt64 = 0
    /// These bits, and those of unmanaged references.
    var uncounted: UInt64 = 0
    /// The certain references.
    var references: [ValueLayout.Reference] = []
    /// The places of the captured values, up to the first one of unknown size.
    var offsets: [Int] = []
    /// The number of captured values.
    let count: Int

    /// A Boolean value that indicates whether the types of some values can be in the context.
    var dependsOnObject = false
  }

  /// Returns the captures of closures with a type. From the first capture of unknown size on, the
  /// places aren't known.
  ///
  /// - Parameter arguments: The types of generic parameters.
  func captures(
    ofClosure metadata: UInt, _ arguments: TypeLayouts.Arguments = .none
  ) -> Captures? {
    typealias Layout = CaptureDescriptorLayout
    guard let start = memory.half(metadata &+ ClosureContextLayout.firstCapture),
      let descriptor = memory.word(metadata &+ ClosureContextLayout.captures), descriptor != 0,
      let count = memory.half(descriptor &+ Layout.captureCount), count < 1 << 10,
      let sources = memory.half(descriptor &+ Layout.sourceCount),
      let bindings = memory.half(descriptor &+ Layout.bindingCount), bindings < 64
    else { return nil }
    var captures = Captures(count: Int(count))
    var next = Int(start) + Layout.bindingSize * Int(bindings)
    for index in 0..<UInt(count) {
      let name = self.metadata.target(
        ofRelative: descriptor &+ Layout.types &+ index * Layout.typeSize)
      guard let name, let layout = layouts.layout(ofName: name, in: 0, arguments) else {
        captures.dependsOnObject = sources > 0
        break
      }
      let type = FieldType(name, memory, self.metadata)
      let offset = CollectionLayout.start(after: next, alignment: layout.alignment)
      if type.isReferenceWithoutCount, offset / 8 < 64 {
        captures.uncounted |= 1 << UInt64(offset / 8)
        if type.strength == .nothing { captures.weak |= 1 << UInt64(offset / 8) }
      }
      captures.references += layout.references.map { $0.moved(by: offset) }
      captures.offsets.append(offset)
      next = offset + layout.size
    }
    return captures
  }

  /// Returns the description of an object, with the references that depend on the object.
  ///
  /// - Parameter metadata: The first word of the object.
  package func description(_ metadata: UInt, ofObject address: UInt) -> Description? {
    guard var found = description(metadata), found.dependsOnObject else {
      return description(metadata)
    }
    found.references = references(ofClosure: address, metadata)
    return found
  }

  /// Returns the strong references of an object that depend on the object.
  package func strongReferences(ofObject address: UInt) -> heap_strong {
    guard let metadata = memory.word(address) else { return heap_strong() }
    return tables.table(references(ofClosure: address, metadata))
  }

  private func references(
    ofClosure address: UInt, _ metadata: UInt
  ) -> [ValueLayout.Reference] {
    let parameters: ClosureParameters?
    if let known = knownParameters[metadata] {
      parameters = known
    } else {
      parameters = ClosureParameters(ofClosure: metadata, self)
      knownParameters[metadata] = .some(parameters)
    }
    guard let parameters else { return description(metadata)?.references ?? [] }
    let types = parameters.types(in: address, self)
    let key = [metadata] + types
    if let known = knownContexts[key] { return known }
    let found = captures(ofClosure: metadata, parameters.arguments(types))?.references ?? []
    knownContexts[key] = found
    return found
  }
}

/// The generic parameters of the function around a closure, whose types are in the context.
struct ClosureParameters {
  private let sources: [(name: TypeTree, source: MetadataSource)]
  /// The offset of the first word with metadata, and the number of these words.
  private let bindings: (start: UInt, count: Int)
  /// The places of captured values, and their types.
  private let captures: [(offset: Int, type: TypeTree)]

  private static let maxSources: UInt32 = 64

  init?(ofClosure metadata: UInt, _ types: ObjectTypes) {
    typealias Layout = CaptureDescriptorLayout
    let memory = types.memory
    guard let known = types.captures(ofClosure: metadata),
      let start = memory.half(metadata &+ ClosureContextLayout.firstCapture),
      let descriptor = memory.word(metadata &+ ClosureContextLayout.captures),
      let bindings = memory.half(descriptor &+ Layout.bindingCount),
      let count = memory.half(descriptor &+ Layout.sourceCount), count <= Self.maxSources
    else { return nil }
    self.bindings = (UInt(start), Int(bindings))
    captures = known.offsets.enumerated().map { index, offset in
      let name = descriptor &+ Layout.types &+ UInt(index) * Layout.typeSize
      return (offset, types.metadata.target(ofRelative: name).map(types.layouts.tree) ?? .unknown)
    }
    let table = descriptor &+ Layout.types &+ UInt(known.count) * Layout.typeSize
    sources = (0..<UInt(count)).compactMap { index in
      let record = table &+ index * Layout.sourceSize
      guard let name = types.metadata.target(ofRelative: record),
        let source = types.metadata.target(ofRelative: record &+ Layout.sourcePlace)
          .flatMap({ memory.text($0) }).flatMap({ MetadataSource($0) })
      else { return nil }
      return (types.layouts.tree(name), source)
    }
  }

  /// Returns the types of the parameters in a context, each 0 if it isn't known.
  func types(in context: UInt, _ types: ObjectTypes) -> [UInt] {
    sources.map { metadata(at: $0.source, context, types) ?? 0 }
  }

  func arguments(_ types: [UInt]) -> TypeLayouts.Arguments {
    var known: [TypeTree: TypeTree] = [:]
    for (source, type) in zip(sources, types) where type != 0 {
      known[source.name] = .metadata(type)
    }
    return .parameters(known)
  }

  private func metadata(
    at source: MetadataSource, _ context: UInt, _ types: ObjectTypes
  ) -> UInt? {
    let found: UInt?
    switch source {
    case .binding(let number):
      guard number < bindings.count else { return nil }
      let size = UInt(CaptureDescriptorLayout.bindingSize)
      found = types.memory.word(context &+ bindings.start &+ UInt(number) * size)
    case .reference(let number):
      found = capture(number, context, types).flatMap { classOfObject($0.word, $0.type, types) }
    case .metadata(let number):
      found = capture(number, context, types)?.word
    case .argument(let number, let source):
      found = metadata(at: source, context, types).flatMap { type in
        let isClass = types.memory.word(type) == Metadata.Kind.classType
        let arguments =
          isClass ? types.arguments(ofClass: type) : type &+ ValueTypeLayout.arguments
        return arguments.flatMap {
          types.memory.word($0 &+ UInt(number) * MetadataLayout.wordSize)
        }
      }
    }
    return found.flatMap { types.metadata.isType($0) ? $0 : nil }
  }

  private func capture(
    _ number: Int, _ context: UInt, _ types: ObjectTypes
  ) -> (word: UInt, type: TypeTree)? {
    guard captures.indices.contains(number) else { return nil }
    return types.memory.word(context &+ UInt(captures[number].offset))
      .map { ($0, captures[number].type) }
  }

  private static let maxSuperclasses = 32

  /// Returns the metadata of a captured object's class, given the type of the value. The object can
  /// be of a subclass, which has other generic arguments.
  private func classOfObject(_ object: UInt, _ type: TypeTree, _ types: ObjectTypes) -> UInt? {
    guard case .nominal(let descriptor, _) = type, var next = types.memory.word(object) else {
      return nil
    }
    for _ in 0..<Self.maxSuperclasses {
      guard types.metadata.isType(next) else { return nil }
      if types.memory.word(next &+ ClassLayout.descriptor) == descriptor { return next }
      guard let superclass = types.memory.word(next &+ ClassLayout.superclass) else { return nil }
      next = superclass
    }
    return nil
  }
}
