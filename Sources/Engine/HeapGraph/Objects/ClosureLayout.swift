import ProcessMemory
package import SwiftRuntime

/// The layout of a closure's context: the captured values and their offsets.
///
/// The compiler writes a capture descriptor for debuggers. It has the numbers of captured values,
/// of sources of generic parameters, and of metadata words before the values. After those come the
/// mangled types of the values and, for each generic parameter, its place in the context.
package struct ClosureLayout {
  package struct Capture {
    package let offset: Int
    package let type: RuntimeType
    package var ownership = ReferenceOwnership.strong
  }

  package private(set) var captures: [Capture] = []
  private(set) var size: Int
  /// A Boolean value that indicates whether the layout depends on types in the context.
  private(set) var isGeneric = false

  /// Reads the layout. Returns nil if there isn't a descriptor, or if a part of it isn't supported.
  init?(_ closure: Heap.Object, in heap: Heap) {
    typealias Layout = CaptureDescriptorLayout
    let metadata = closure.metadata
    size = Int(Metadata.load(metadata &+ ClosureContextLayout.firstCapture, as: UInt32.self))
    let descriptor = Metadata.load(metadata &+ ClosureContextLayout.captures, as: UInt.self)
    guard descriptor != 0 else { return nil }
    let count = UInt(Metadata.load(descriptor &+ Layout.captureCount, as: UInt32.self))
    let sources = UInt(Metadata.load(descriptor &+ Layout.sourceCount, as: UInt32.self))
    let bindings = Int(Metadata.load(descriptor &+ Layout.bindingCount, as: UInt32.self))
    guard count < 1024, sources < 64, bindings < 64 else { return nil }
    let types = descriptor &+ Layout.types
    let addresses = (0..<count).map { Metadata.follow(types &+ $0 * Layout.typeSize) }
    guard addresses.allSatisfy({ $0 != 0 }) else { return nil }
    let names = addresses.map { MangledName(at: $0) }
    let firstBinding = closure.address &+ UInt(size)
    size += Layout.bindingSize * bindings
    var parameters: GenericParameters?
    if sources > 0 {
      isGeneric = true
      let table = types &+ count * Layout.typeSize
      let offsets = Self.knownOffsets(of: names, from: size, heap)
      parameters = GenericParameters(
        (0..<sources).map { index in
          let record = table &+ index * Layout.sourceSize
          return (Metadata.follow(record), Metadata.follow(record &+ Layout.sourcePlace))
        }, bindings: firstBinding, count: bindings, in: heap
      ) { index in
        guard index < offsets.count,
          let word = heap.memory.word(closure.address &+ UInt(offsets[index]))
        else { return nil }
        return (word, names[index].classDescriptor)
      }
    }
    for name in names {
      guard let capture = Self.capture(name, parameters, heap) else { return nil }
      let offset = CollectionLayout.start(after: size, alignment: capture.alignment)
      captures.append(Capture(offset: offset, type: capture.type, ownership: capture.ownership))
      size = offset + capture.size
    }
  }

  /// Returns the offsets of the captures up to and including the first one whose size depends on a
  /// generic parameter.
  private static func knownOffsets(
    of names: [MangledName], from start: Int, _ heap: Heap
  ) -> [Int] {
    var offsets: [Int] = []
    var size = start
    for name in names {
      // A capture's own alignment changes its offset only if it is larger than that of a word.
      offsets.append(CollectionLayout.start(after: size, alignment: ObjectLayout.reference))
      guard let capture = capture(name, nil, heap) else { break }
      let offset = CollectionLayout.start(after: size, alignment: capture.alignment)
      offsets[offsets.count - 1] = offset
      size = offset + capture.size
    }
    return offsets
  }

  private static func capture(
    _ name: MangledName, _ parameters: GenericParameters?, _ heap: Heap
  ) -> (type: RuntimeType, size: Int, alignment: Int, ownership: ReferenceOwnership)? {
    func reference(
      _ ownership: ReferenceOwnership
    ) -> (type: RuntimeType, size: Int, alignment: Int, ownership: ReferenceOwnership) {
      let size = ObjectLayout.reference
      return (heap.types.type(AnyObject.self), size, size, ownership)
    }
    // A captured variable is in a box, whose metadata describes its content.
    if name.isBox { return reference(.strong) }
    let ownership = name.ownership
    if case .notStrong = ownership { return reference(ownership) }
    if name.isLoweredFunction {
      let function = heap.types.type((() -> Void).self)
      return (function, function.size, function.alignment, .strong)
    }
    guard !isRisky(name, isGeneric: parameters != nil) else { return nil }
    // The runtime terminates the program if it has to resolve a generic parameter without a
    // context.
    guard parameters != nil || !name.mayBeDependent,
      let type = name.type(context: parameters?.context ?? 0, arguments: parameters?.arguments)
    else {
      // A class reference is one word, regardless of its generic arguments.
      return name.isClass ? reference(.strong) : nil
    }
    let described = heap.types.type(type)
    return (described, described.size, described.alignment, ownership)
  }

  /// Reports whether the runtime might terminate the program when it resolves a mangled name. It
  /// does that for parameter packs, which the stand-in context doesn't have. A compiler-generated
  /// function that makes a type expects the arguments of the actual function around the closure.
  private static func isRisky(_ name: MangledName, isGeneric: Bool) -> Bool {
    name.containsPack || isGeneric && name.containsTypeFunction
  }
}

/// The generic parameters of the function around a closure, with their types in one context.
private final class GenericParameters {
  /// A type whose parameters are placeholders for those of any function: eight of its own, and
  /// eight of the type around it. Mangled names with generic parameters are resolved in the context
  /// of this type.
  private struct Outer<A, B, C, D, E, F, G, H> {
    struct Inner<I, J, K, L, M, N, O, P> {}
  }

  private static let width = 8

  let context: UInt
  private let memory: UnsafeMutablePointer<UInt>

  var arguments: UnsafeRawPointer { UnsafeRawPointer(memory) }

  deinit { memory.deallocate() }

  init?(
    _ sources: [(name: UInt, source: UInt)], bindings: UInt, count: Int, in heap: Heap,
    _ captured: (Int) -> (word: UInt, descriptor: UInt)?
  ) {
    let model = Outer<Void, Void, Void, Void, Void, Void, Void, Void>
      .Inner<Void, Void, Void, Void, Void, Void, Void, Void>.self
    context = Metadata.descriptor(ofValueType: Metadata.address(of: model))
    let types = Array(repeating: Metadata.address(of: Void.self), count: 2 * Self.width)
    memory = .allocate(capacity: 2 * Self.width)
    memory.initialize(from: types, count: types.count)
    for source in sources {
      guard source.name != 0, source.source != 0,
        let parameter = MangledName(at: source.name).genericParameter, parameter.level < 2,
        parameter.index < Self.width, let place = MetadataSource(at: source.source),
        let type = Self.type(place, bindings, count, heap, captured)
      else { return nil }
      memory[parameter.level * Self.width + parameter.index] = type
    }
  }

  /// Returns the type at a source, or nil if there isn't one.
  private static func type(
    _ source: MetadataSource, _ bindings: UInt, _ count: Int, _ heap: Heap,
    _ captured: (Int) -> (word: UInt, descriptor: UInt)?
  ) -> UInt? {
    switch source {
    case .binding(let number):
      let size = UInt(CaptureDescriptorLayout.bindingSize)
      guard number < count, let type = heap.memory.word(bindings &+ UInt(number) * size),
        heap.isType(type)
      else { return nil }
      return type
    case .reference(let number):
      guard let object = captured(number), var type = heap.memory.word(object.word),
        heap.isType(type)
      else { return nil }
      // The object can be of a subclass, which has other generic arguments.
      while object.descriptor != 0, Metadata.kind(at: type) == Metadata.Kind.classType,
        Metadata.load(type &+ ClassLayout.descriptor, as: UInt.self) != object.descriptor
      {
        type = Metadata.load(type &+ ClassLayout.superclass, as: UInt.self)
        guard type != 0 else { return nil }
      }
      return type
    case .metadata(let number):
      guard let type = captured(number)?.word, heap.isType(type) else { return nil }
      return type
    case .argument(let number, let source):
      guard let type = type(source, bindings, count, heap, captured) else { return nil }
      let arguments: UInt
      switch Metadata.kind(at: type) {
      case Metadata.Kind.classType:
        arguments = RuntimeTypes.arguments(ofClass: type).map { UInt(bitPattern: $0) } ?? 0
      case Metadata.Kind.structType, Metadata.Kind.enumType, Metadata.Kind.optional:
        arguments = type &+ ValueTypeLayout.arguments
      default: return nil
      }
      guard arguments != 0,
        let argument = heap.memory.word(arguments &+ UInt(number) * MetadataLayout.wordSize),
        heap.isType(argument)
      else { return nil }
      return argument
    }
  }
}
