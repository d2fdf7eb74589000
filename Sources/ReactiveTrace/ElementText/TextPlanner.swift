import SwiftRuntime

/// A planner that makes the plans of a type and of all types inside it.
///
/// If a type has its own code for its text, the plan calls that code. If a type isn't completely
/// described, the plan calls the standard library. See `_print_unlocked` and `_adHocPrint_unlocked`
/// in the standard library's `OutputStream.swift` for the text that it writes.
struct TextPlanner {
  /// The maximum number of types that are described for one plan. Types can be nested infinitely,
  /// like `enum Nest<T> { indirect case more(Nest<[T]>) }`.
  private static let maxTypes = 256

  private let known: (UInt) -> TextPlan.Pointer?
  private var made: [UInt: UnsafeMutablePointer<TextPlan>] = [:]

  /// Creates a planner that uses the plans that `known` returns.
  init(known: @escaping (UInt) -> TextPlan.Pointer?) { self.known = known }

  /// Returns the plan of a type.
  mutating func plan(_ type: Any.Type) -> TextPlan.Pointer {
    let address = Metadata.address(of: type)
    if let known = known(address) ?? made[address].map({ TextPlan.Pointer($0) }) { return known }
    let plan = UnsafeMutablePointer<TextPlan>.allocate(capacity: 1)
    plan.initialize(to: TextPlan(form: .object))
    guard made.count < Self.maxTypes else {
      plan.pointee.form = Self.ownForm(type)
      return TextPlan.Pointer(plan)
    }
    // Stored before its parts are planned, because a type can contain itself.
    made[address] = plan
    plan.pointee.form = form(type, address)
    return TextPlan.Pointer(plan)
  }

  /// Returns a plan for references to objects of exactly this class.
  func plan(ofObjects type: Any.Type) -> TextPlan.Pointer {
    let form =
      Self.hasOwnText(type)
      ? Self.ownForm(type) : .constant(Self.name(String(reflecting: type)))
    return Self.kept([TextPlan(form: form)])
  }

  /// Returns the plans that were made, after determining which of them call user code.
  func finished() -> [(UInt, TextPlan.Pointer)] {
    for plan in made.values {
      var seen: Set<TextPlan.Pointer> = []
      plan.pointee.isPure = Self.isPure(TextPlan.Pointer(plan), &seen)
    }
    return made.map { ($0, TextPlan.Pointer($1)) }
  }

  private static func isPure(_ plan: TextPlan.Pointer, _ seen: inout Set<TextPlan.Pointer>) -> Bool
  {
    guard !plan.pointee.isPure, seen.insert(plan).inserted else { return true }
    switch plan.pointee.form {
    case .object, .existential, .own: return false
    case .fields(let fields):
      return (0..<fields.count).allSatisfy { isPure(fields.first[$0].plan, &seen) }
    case .cases(let cases):
      return (0..<cases.count).allSatisfy { index in
        cases.first[index].payload.map { isPure($0, &seen) } ?? true
      }
    case .optional(let part, _), .array(let part, _, _, _), .set(let part, _):
      return isPure(part, &seen)
    case .dictionary(let key, _, let value, _): return isPure(key, &seen) && isPure(value, &seen)
    default: return true
    }
  }

  // MARK: Forms

  private mutating func form(_ type: Any.Type, _ address: UInt) -> TextPlan.Form {
    if let form = Self.simpleForm(type) { return form }
    if let form = collectionForm(type, address) { return form }
    let kind = Metadata.kind(at: address)
    if kind == Metadata.Kind.optional { return optionalForm(type, address) }
    if kind == Metadata.Kind.classType { return .object }
    guard !Self.hasOwnText(type) else { return Self.ownForm(type) }
    let described: TextPlan.Form? =
      switch kind {
      case Metadata.Kind.structType: structForm(type, address)
      case Metadata.Kind.enumType: enumForm(type, address)
      case Metadata.Kind.tuple: tupleForm(address)
      case Metadata.Kind.existential: Self.existentialForm(address)
      case Metadata.Kind.metatype: Self.metatypeForm(address)
      default: nil
      }
    return described ?? Self.ownForm(type)
  }

  /// Returns the form of a type of the standard library without parts.
  private static func simpleForm(_ type: Any.Type) -> TextPlan.Form? {
    let form: TextPlan.Form
    switch ObjectIdentifier(type) {
    case ObjectIdentifier(String.self): return .string
    case ObjectIdentifier(Double.self): return .double
    case ObjectIdentifier(Float.self): return .float
    case ObjectIdentifier(Substring.self): return .substring
    case ObjectIdentifier(Character.self): return .character
    case ObjectIdentifier(Int.self): form = .int
    case ObjectIdentifier(Bool.self): form = .bool
    case ObjectIdentifier(Int8.self): form = .int8
    case ObjectIdentifier(Int16.self): form = .int16
    case ObjectIdentifier(Int32.self): form = .int32
    case ObjectIdentifier(Int64.self): form = .int64
    case ObjectIdentifier(UInt.self): form = .uint
    case ObjectIdentifier(UInt8.self): form = .uint8
    case ObjectIdentifier(UInt16.self): form = .uint16
    case ObjectIdentifier(UInt32.self): form = .uint32
    case ObjectIdentifier(UInt64.self): form = .uint64
    default:
      guard UUIDText.isUUID(type) else { return nil }
      form = .uuid
    }
    // A program can add these conformances.
    if type is any TextOutputStreamable.Type { return nil }
    if case .uuid = form { return form }
    return type is any CustomDebugStringConvertible.Type ? nil : form
  }

  private mutating func collectionForm(_ type: Any.Type, _ address: UInt) -> TextPlan.Form? {
    guard Metadata.kind(at: address) == Metadata.Kind.structType,
      !(type is any TextOutputStreamable.Type)
    else { return nil }
    let descriptor = Metadata.descriptor(ofValueType: address)
    func argument(_ index: UInt) -> Any.Type { Metadata.argument(index, ofValueType: address) }
    switch descriptor {
    case Self.arrayDescriptor, Self.contiguousArrayDescriptor:
      let element = argument(0)
      guard let layout = Self.layout(element) else { return nil }
      let start = CollectionLayout.start(
        after: CollectionLayout.arrayHeader, alignment: layout.alignment)
      return .array(
        plan(element), start: start, stride: layout.stride,
        isContiguous: descriptor == Self.contiguousArrayDescriptor)
    case Self.setDescriptor:
      let element = argument(0)
      guard let layout = Self.layout(element) else { return nil }
      return .set(plan(element), stride: layout.stride)
    case Self.dictionaryDescriptor:
      let (key, value) = (argument(0), argument(1))
      guard let keyLayout = Self.layout(key), let layout = Self.layout(value) else { return nil }
      return .dictionary(
        key: plan(key), keyStride: keyLayout.stride, value: plan(value), valueStride: layout.stride)
    default: return nil
    }
  }

  /// Returns the stride and alignment of the elements of a collection, or nil if the collection can
  /// be an Objective-C object.
  private static func layout(_ element: Any.Type) -> (stride: Int, alignment: Int)? {
    guard let witnesses = ValueWitnesses(Metadata.address(of: element)) else { return nil }
    #if canImport(ObjectiveC)
      guard !witnesses.hasReferences else { return nil }
    #endif
    return (witnesses.stride, witnesses.alignment)
  }

  private static let arrayDescriptor = descriptor([Int].self)
  private static let contiguousArrayDescriptor = descriptor(ContiguousArray<Int>.self)
  private static let setDescriptor = descriptor(Set<Int>.self)
  private static let dictionaryDescriptor = descriptor([Int: Int].self)

  private static func descriptor(_ type: Any.Type) -> UInt {
    Metadata.descriptor(ofValueType: Metadata.address(of: type))
  }

  private mutating func optionalForm(_ type: Any.Type, _ address: UInt) -> TextPlan.Form {
    let wrapped = Metadata.argument(0, ofValueType: address)
    guard let witnesses = ValueWitnesses(address) else { return Self.ownForm(type) }
    return .optional(plan(wrapped), witnesses)
  }

  private mutating func structForm(_ type: Any.Type, _ address: UInt) -> TextPlan.Form? {
    guard let witnesses = ValueWitnesses(address), !Self.isForeign(address),
      let parts = TypeParts.fields(ofStructure: address),
      parts.allSatisfy({
        $0.record.ownership == .strong && $0.record.type != nil && !$0.record.name.isEmpty
      })
    else { return nil }
    var fields: [TextPlan.Field] = []
    for (index, part) in parts.enumerated() {
      let end = parts[(index + 1)...].lazy.map(\.offset).first { $0 > part.offset }
      let separator = fields.isEmpty ? "" : ", "
      fields.append(
        TextPlan.Field(
          before: Self.literal("\(separator)\(part.record.name): "), offset: part.offset,
          plan: plan(part.record.type ?? Void.self, room: (end ?? witnesses.size) - part.offset)))
    }
    return .fields(
      Self.fields(
        fields,
        opening: TextPlan.Name(
          alone: Self.literal("\(String(describing: type))("),
          nested: Self.literal("\(String(reflecting: type))(")), isTuple: false))
  }

  /// Returns the plan of a part with `room` bytes in the value.
  ///
  /// Metatypes of known types don't take space inside other values, but the runtime's layout of a
  /// tuple or an optional with such a metatype includes space for it. Values of these types aren't
  /// read, and their text is the name of the type. The standard library itself reads beyond the
  /// value, or crashes.
  private mutating func plan(_ type: Any.Type, room: Int) -> TextPlan.Pointer {
    let address = Metadata.address(of: type)
    let kind = Metadata.kind(at: address)
    let isClass = kind == Metadata.Kind.classType || kind == Metadata.Kind.foreignClass
    let size =
      (isClass ? nil : ValueWitnesses(address)?.size) ?? ObjectLayout.reference
    if size > room, kind != Metadata.Kind.metatype {
      return Self.kept([
        TextPlan(form: .constant(Self.name(String(reflecting: type))), isPure: true)
      ])
    }
    return plan(type)
  }

  private mutating func tupleForm(_ address: UInt) -> TextPlan.Form? {
    var fields: [TextPlan.Field] = []
    for element in TypeParts.elements(ofTuple: address) {
      let separator = fields.isEmpty ? "" : ", "
      let label = element.label.isEmpty ? "" : "\(element.label): "
      fields.append(
        TextPlan.Field(
          before: Self.literal(separator + label), offset: element.offset,
          plan: plan(element.type)))
    }
    return .fields(Self.fields(fields, opening: Self.name("("), isTuple: true))
  }

  private static func fields(
    _ fields: [TextPlan.Field], opening: TextPlan.Name, isTuple: Bool
  ) -> TextPlan.Fields {
    TextPlan.Fields(
      opening: opening, isTuple: isTuple, first: kept(fields), count: fields.count)
  }

  private mutating func enumForm(_ type: Any.Type, _ address: UInt) -> TextPlan.Form? {
    // Literals are never deallocated, so everything is checked before the first one is made.
    guard let witnesses = ValueWitnesses(address), witnesses.isEnumeration,
      !Self.isForeign(address),
      let records = TypeParts.cases(ofEnumeration: address), !records.isEmpty,
      records.allSatisfy({ !$0.name.isEmpty && (!$0.isPresent || $0.type != nil) })
    else { return nil }
    let isPacked = records.count { $0.isPresent } > 1
    guard !isPacked || witnesses.isMovable && witnesses.alignment <= 16 else { return nil }
    let qualified = String(reflecting: type)
    let cases = records.map { record in
      let payload = record.isPresent ? record.type : nil
      var boxOffset: Int?
      if record.isIndirect, let payload {
        // A class is a reference, which is aligned like a pointer.
        let alignment =
          ValueWitnesses(Metadata.address(of: payload))?.alignment
          ?? ObjectLayout.reference
        boxOffset = CollectionLayout.start(
          after: CollectionLayout.boxHeader, alignment: alignment)
      }
      return TextPlan.Case(
        name: TextPlan.Name(
          alone: Self.literal(record.name), nested: Self.literal("\(qualified).\(record.name)")),
        payload: payload.map { plan($0, room: boxOffset == nil ? witnesses.size : .max) },
        boxOffset: boxOffset)
    }
    return .cases(
      TextPlan.Cases(
        witnesses: witnesses, size: witnesses.size, isPacked: isPacked,
        first: Self.kept(cases), count: cases.count))
  }

  private static func existentialForm(_ address: UInt) -> TextPlan.Form? {
    #if canImport(ObjectiveC)
      return nil
    #else
      switch ExistentialLayout.representation(ofValuesOf: address) {
      case .reference: return .object
      case .opaque: return .existential
      case .error, nil: return nil
      }
    #endif
  }

  /// Returns the form of a metatype with only one value. Such a value doesn't take space in a
  /// structure, regardless of the size of its type.
  private static func metatypeForm(_ address: UInt) -> TextPlan.Form? {
    let instance = Metadata.load(address &+ MetatypeLayout.instance, as: UInt.self)
    var innermost = instance
    while Metadata.kind(at: innermost) == Metadata.Kind.metatype {
      innermost = Metadata.load(innermost &+ MetatypeLayout.instance, as: UInt.self)
    }
    switch Metadata.kind(at: innermost) {
    case Metadata.Kind.structType, Metadata.Kind.enumType, Metadata.Kind.optional,
      Metadata.Kind.tuple, Metadata.Kind.function, Metadata.Kind.existential,
      Metadata.Kind.extendedExistential, Metadata.Kind.existentialMetatype:
      let type = Metadata.type(at: instance)
      return .constant(
        TextPlan.Name(
          alone: literal(String(describing: type)), nested: literal(String(reflecting: type))))
    default: return nil
    }
  }

  // MARK: Types with their own text

  /// Returns whether a type has its own code for its text.
  private static func hasOwnText(_ type: Any.Type) -> Bool {
    type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type
      || type is any TextOutputStreamable.Type || type is any CustomReflectable.Type
  }

  private static func ownForm(_ type: Any.Type) -> TextPlan.Form { .own(kept([own(type)])) }

  static func own(_ type: Any.Type) -> TextPlan.OwnText {
    func make<Value>(_ type: Value.Type) -> TextPlan.OwnText {
      TextPlan.OwnText(
        make: { value, nested in
          let value = value.assumingMemoryBound(to: Value.self)
          // The conversion to `Any` matters: the standard library describes some enumerations
          // differently if their static type is available.
          return nested
            ? String(reflecting: value.pointee as Any) : String(describing: value.pointee as Any)
        },
        isTuple: { value in
          Mirror(reflecting: value.assumingMemoryBound(to: Value.self).pointee).displayStyle
            == .tuple
        })
    }
    return _openExistential(type, do: make)
  }

  /// Returns whether a type is imported from C, so that its descriptor is incomplete or absent.
  private static func isForeign(_ address: UInt) -> Bool {
    let descriptor = Metadata.descriptor(ofValueType: address)
    return DescriptorFlags(Metadata.load(descriptor, as: UInt32.self)).isForeign
  }

  // MARK: Memory that is never deallocated

  private static func literal(_ text: String) -> TextPlan.Literal {
    let bytes = Array(text.utf8)
    return TextPlan.Literal(
      start: kept(bytes + [UInt8](repeating: 0, count: 16)), count: bytes.count)
  }

  private static func name(_ text: String) -> TextPlan.Name {
    let literal = literal(text)
    return TextPlan.Name(alone: literal, nested: literal)
  }

  private static func kept<Value>(_ values: [Value]) -> UnsafePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: max(1, values.count))
    memory.initialize(from: values, count: values.count)
    return UnsafePointer(memory)
  }
}
