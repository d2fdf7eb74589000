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
    package var holds = TypeParts.Holding.strong
  }

  package private(set) var captures: [Capture] = []
  package private(set) var size: Int
  /// A Boolean value that indicates whether the layout depends on types in the context.
  package private(set) var isGeneric = false

  /// Reads the layout. Returns nil if there isn't a descriptor, or if a part of it isn't supported.
  package init?(_ closure: Heap.Object, in heap: Heap) {
    let metadata = closure.metadata
    size = Int(Metadata.load(metadata &+ 8, as: UInt32.self))
    let descriptor = Metadata.load(metadata &+ 16, as: UInt.self)
    guard descriptor != 0 else { return nil }
    let count = UInt(Metadata.load(descriptor, as: UInt32.self))
    let sources = UInt(Metadata.load(descriptor &+ 4, as: UInt32.self))
    let bindings = Int(Metadata.load(descriptor &+ 8, as: UInt32.self))
    guard count < 1024, sources < 64, bindings < 64 else { return nil }
    let names = (0..<count).map { Metadata.follow(descriptor &+ 12 &+ $0 * 4) }
    guard names.allSatisfy({ $0 != 0 }) else { return nil }
    let firstBinding = closure.address &+ UInt(size)
    size += 8 * bindings
    var parameters: GenericParameters?
    if sources > 0 {
      isGeneric = true
      let table = descriptor &+ 12 &+ count * 4
      let offsets = Self.knownOffsets(of: names, from: size, heap)
      parameters = GenericParameters(
        (0..<sources).map { index in
          let record = table &+ index * 8
          return (Metadata.follow(record), Metadata.follow(record &+ 4))
        }, bindings: firstBinding, count: bindings, in: heap
      ) { index in
        guard index < offsets.count,
          let word = heap.memory.word(closure.address &+ UInt(offsets[index]))
        else { return nil }
        return (word, Self.classDescriptor(names[index], Metadata.bytes(ofName: names[index])))
      }
    }
    for name in names {
      guard let capture = Self.capture(name, parameters, heap) else { return nil }
      let offset = (size + capture.alignment - 1) & ~(capture.alignment - 1)
      captures.append(Capture(offset: offset, type: capture.type, holds: capture.holds))
      size = offset + capture.size
    }
  }

  /// Returns the offsets of the captures up to and including the first one whose size depends on a
  /// generic parameter.
  private static func knownOffsets(of names: [UInt], from start: Int, _ heap: Heap) -> [Int] {
    var offsets: [Int] = []
    var size = start
    for name in names {
      // A capture's own alignment changes its offset only if it is larger than that of a word.
      offsets.append((size + 7) & ~7)
      guard let capture = capture(name, nil, heap) else { break }
      let offset = (size + capture.alignment - 1) & ~(capture.alignment - 1)
      offsets[offsets.count - 1] = offset
      size = offset + capture.size
    }
    return offsets
  }

  private static func capture(
    _ name: UInt, _ parameters: GenericParameters?, _ heap: Heap
  ) -> (type: RuntimeType, size: Int, alignment: Int, holds: TypeParts.Holding)? {
    let bytes = Metadata.bytes(ofName: name)
    let ending = bytes.suffix(2)
    // A captured variable is in a box, whose metadata describes its content.
    if ending == [UInt8(ascii: "X"), UInt8(ascii: "x")]
      || ending == [UInt8(ascii: "X"), UInt8(ascii: "b")]
    {
      return (heap.types.type(AnyObject.self), 8, 8, .strong)
    }
    let holds = Metadata.holding(ofName: bytes)
    if case .notStrong = holds { return (heap.types.type(AnyObject.self), 8, 8, holds) }
    if isFunction(bytes) {
      let function = heap.types.type((() -> Void).self)
      return (function, function.size, function.alignment, .strong)
    }
    guard !isRisky(bytes, isGeneric: parameters != nil) else { return nil }
    guard parameters != nil || !isDependent(bytes),
      let type = Metadata.type(
        ofName: name, bytes, context: parameters?.context ?? 0,
        arguments: parameters?.arguments)
    else {
      // A class reference is one word, whatever the generic arguments.
      return isClass(name, bytes) ? (heap.types.type(AnyObject.self), 8, 8, .strong) : nil
    }
    let described = heap.types.type(type)
    return (described, described.size, described.alignment, holds)
  }
}

extension ClosureLayout {
  /// Reports whether a mangled name can contain generic parameters, whose names have an `x`, a `q`
  /// or a `Q`. The runtime terminates the program if it has to resolve one without a context.
  private static func isDependent(_ bytes: [UInt8]) -> Bool {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if [UInt8(ascii: "x"), UInt8(ascii: "q"), UInt8(ascii: "Q")].contains(byte) { return true }
      index += byte <= 0x17 ? 5 : byte <= 0x1F ? 9 : 1
    }
    return false
  }

  /// Reports whether the runtime might terminate the program when it resolves a mangled name. It
  /// does that for parameter packs, which the stand-in context doesn't have. A compiler-generated
  /// function that makes a type expects the arguments of the actual function around the closure.
  private static func isRisky(_ bytes: [UInt8], isGeneric: Bool) -> Bool {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 9, isGeneric { return true }
      if byte == UInt8(ascii: "Q"), index + 1 < bytes.count,
        [UInt8(ascii: "p"), UInt8(ascii: "e"), UInt8(ascii: "P"), UInt8(ascii: "S")].contains(
          bytes[index + 1])
      {
        return true
      }
      index += byte <= 0x17 ? 5 : byte <= 0x1F ? 9 : 1
    }
    return false
  }

  /// Reports whether a mangled name is the name of a class. Such a name starts with a symbolic
  /// reference to the class descriptor. If it has generic arguments, it ends in `G`.
  private static func isClass(_ name: UInt, _ bytes: [UInt8]) -> Bool {
    guard bytes.count == 5 || bytes.last == UInt8(ascii: "G") else { return false }
    return classDescriptor(name, bytes) != 0
  }

  /// Returns the descriptor of the class at the start of a mangled name, or 0 if there isn't one.
  private static func classDescriptor(_ name: UInt, _ bytes: [UInt8]) -> UInt {
    guard bytes.count >= 5, bytes[0] == 1 || bytes[0] == 2 else { return 0 }
    var descriptor = Metadata.follow(name &+ 1)
    if bytes[0] == 2, descriptor != 0 { descriptor = Metadata.load(descriptor, as: UInt.self) }
    guard descriptor != 0, Metadata.load(descriptor, as: UInt32.self) & 0x1F == 16 else { return 0 }
    return descriptor
  }

  /// Reports whether a mangled name is a function type in the lowered form that the optimizer uses.
  /// The runtime can't resolve these names. They end in `I`, a letter each for how the function,
  /// its parameters and its results are passed, and `_`. If no letter says otherwise, the function
  /// has a context.
  private static func isFunction(_ name: [UInt8]) -> Bool {
    // The function type can be optional.
    let name =
      name.suffix(2) == [UInt8(ascii: "S"), UInt8(ascii: "g")] ? name.dropLast(2) : name[...]
    guard name.last == UInt8(ascii: "_") else { return false }
    let letters = name.dropLast().reversed().prefix { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
    guard let start = letters.firstIndex(of: UInt8(ascii: "I")) else { return false }
    let after = letters[..<start].reversed()
    var rest = Array(after)
    for mark in "sIPeA".utf8 where rest.first == mark { rest.removeFirst() }
    guard let convention = rest.first else { return false }
    return [UInt8(ascii: "g"), UInt8(ascii: "x"), UInt8(ascii: "y")].contains(convention)
  }
}

/// The generic parameters of the function around a closure, with their types in one context.
private final class GenericParameters {
  /// A type whose parameters are placeholders for those of any function: eight of its own, and
  /// eight of the type around it. Mangled names with generic parameters are resolved in the context
  /// of this type.
  private struct Outer<A, B, C, D, E, F, G, H> {
    package struct Inner<I, J, K, L, M, N, O, P> {}
  }

  private static let width = 8

  package let context: UInt
  private var types: [UInt]
  private let memory: UnsafeMutablePointer<UInt>

  package var arguments: UnsafeRawPointer { UnsafeRawPointer(memory) }

  deinit { memory.deallocate() }

  package init?(
    _ sources: [(name: UInt, source: UInt)], bindings: UInt, count: Int, in heap: Heap,
    _ captured: (Int) -> (word: UInt, descriptor: UInt)?
  ) {
    let model = Outer<Void, Void, Void, Void, Void, Void, Void, Void>
      .Inner<Void, Void, Void, Void, Void, Void, Void, Void>.self
    let metadata = UInt(bitPattern: unsafeBitCast(model as Any.Type, to: UnsafeRawPointer.self))
    context = Metadata.load(metadata &+ 8, as: UInt.self)
    let void = UInt(bitPattern: unsafeBitCast(Void.self as Any.Type, to: UnsafeRawPointer.self))
    types = Array(repeating: void, count: 2 * Self.width)
    memory = .allocate(capacity: 2 * Self.width)
    memory.initialize(from: types, count: types.count)
    for source in sources {
      guard source.name != 0, source.source != 0,
        let index = Self.index(Metadata.bytes(ofName: source.name)),
        let type = Self.type(
          Array(Metadata.text(source.source).utf8)[...], bindings, count, heap, captured)
      else { return nil }
      memory[index] = type
    }
  }

  /// Returns the index of a parameter by its mangled name: `x`, `q_`, `q0_`, ... for those of the
  /// outer level, `qd__`, `qd_0_`, ... for the inner one.
  private static func index(_ name: [UInt8]) -> Int? {
    let text = String(decoding: name, as: UTF8.self)
    if text == "x" { return 0 }
    guard text.hasPrefix("q"), text.hasSuffix("_") else { return nil }
    var rest = text.dropFirst().dropLast()
    var level = 0
    if rest.hasPrefix("d") {
      rest = rest.dropFirst()
      guard rest.hasPrefix("_") else { return nil }
      rest = rest.dropFirst()
      level = 1
      let index = rest.isEmpty ? 0 : Int(rest).map { $0 + 1 }
      return index.flatMap { $0 < width ? level * width + $0 : nil }
    }
    let index = rest.isEmpty ? 1 : Int(rest).map { $0 + 2 }
    return index.flatMap { $0 < width ? level * width + $0 : nil }
  }

  /// Returns the type that a source describes. `B0` is the first metadata word before the captures.
  /// `G1B0_` is the second generic argument of the type in that word, and `G0R2_` the first one of
  /// the class of the third captured value.
  private static func type(
    _ source: ArraySlice<UInt8>, _ bindings: UInt, _ count: Int, _ heap: Heap,
    _ captured: (Int) -> (word: UInt, descriptor: UInt)?
  ) -> UInt? {
    guard let kind = source.first else { return nil }
    let digits = source.dropFirst().prefix { (0x30...0x39).contains($0) }
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    let rest = source.dropFirst(1 + digits.count)
    switch kind {
    case UInt8(ascii: "B"):
      guard number < count, let type = heap.memory.word(bindings &+ UInt(number) * 8),
        heap.isType(type)
      else { return nil }
      return type
    case UInt8(ascii: "R"):
      // The class of a captured object.
      guard let object = captured(number), var type = heap.memory.word(object.word),
        heap.isType(type)
      else { return nil }
      // The object can be of a subclass, which has other generic arguments.
      while object.descriptor != 0, Metadata.load(type, as: UInt.self) == Metadata.Kind.classType,
        Metadata.load(type &+ 40, as: UInt.self) != object.descriptor
      {
        type = Metadata.load(type &+ 8, as: UInt.self)
        guard type != 0 else { return nil }
      }
      return type
    case UInt8(ascii: "M"):
      guard let type = captured(number)?.word, heap.isType(type) else { return nil }
      return type
    case UInt8(ascii: "G"):
      guard let type = type(rest, bindings, count, heap, captured) else { return nil }
      let arguments: UInt
      switch Metadata.load(type, as: UInt.self) {
      case Metadata.Kind.classType:
        arguments = RuntimeTypes.arguments(ofClass: type).map { UInt(bitPattern: $0) } ?? 0
      case Metadata.Kind.structType, Metadata.Kind.enumType, Metadata.Kind.optional:
        arguments = type &+ 16
      default: return nil
      }
      guard arguments != 0, let argument = heap.memory.word(arguments &+ UInt(number) * 8),
        heap.isType(argument)
      else { return nil }
      return argument
    default: return nil
    }
  }
}
