import SwiftRuntime

/// A plan for writing the values of one type as text. The text equals `String(describing:)`, and
/// inside other values `String(reflecting:)`.
///
/// The standard library inspects each value again: it makes a mirror, boxes each part, and looks up
/// conformances. A plan contains the results in advance. `TextPlanner` makes a plan once for a
/// type, and the plan lives as long as the process. It is used through its address, which doesn't
/// require reference counting.
package struct TextPlan {
  package typealias Pointer = UnsafePointer<TextPlan>

  enum Form {
    case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64
    case bool, double, float, string, substring, character, uuid
    /// The same text for all values.
    case constant(Name)
    case fields(Fields)
    case optional(Pointer, ValueWitnesses)
    case cases(Cases)
    case array(Pointer, start: Int, stride: Int, isContiguous: Bool)
    case set(Pointer, stride: Int)
    case dictionary(key: Pointer, keyStride: Int, value: Pointer, valueStride: Int)
    /// A reference to an object. The class of the object determines the plan.
    case object
    /// An existential container. The type of the value determines the plan.
    case existential
    /// A string from the type's own code or from the standard library.
    case own(UnsafePointer<OwnText>)
  }

  /// A string in the plan, which is never deallocated. It is followed by 16 bytes of memory.
  struct Literal {
    let start: UnsafePointer<UInt8>
    let count: Int
  }

  /// A string that differs inside other values, such as `Trade(` and `Shop.Trade(`.
  struct Name {
    let alone: Literal
    let nested: Literal
  }

  /// A structure or a tuple.
  struct Fields {
    let opening: Name
    let isTuple: Bool
    let first: UnsafePointer<Field>
    let count: Int
  }

  struct Field {
    /// The separator and the label.
    let before: Literal
    let offset: Int
    let plan: Pointer
  }

  struct Cases {
    let witnesses: ValueWitnesses
    let size: Int
    /// A Boolean value that indicates whether the bytes of a payload can also contain the number of
    /// the case.
    let isPacked: Bool
    let first: UnsafePointer<Case>
    let count: Int
  }

  struct Case {
    let name: Name
    let payload: Pointer?
    /// The offset in the box, or nil if the payload isn't in a box.
    let boxOffset: Int?
  }

  /// The code that makes the text of a value at an address.
  struct OwnText {
    let make: (_ value: UnsafeRawPointer, _ nested: Bool) -> String
    /// Returns whether the standard library describes the value like a tuple.
    let isTuple: (_ value: UnsafeRawPointer) -> Bool
  }

  var form: Form
  /// A Boolean value that indicates whether the text is made without user code.
  package var isPure = false

  /// A Boolean value that indicates whether the plan only calls the type's own code or the standard
  /// library.
  package var isOwn: Bool {
    if case .own = form { true } else { false }
  }
}

extension TextPlan {
  /// Writes the text of the value at an address. Stops when the buffer is full.
  ///
  /// - Parameter nested: Whether the value is a part of another value.
  package static func write(
    _ plan: Pointer, _ value: UnsafeRawPointer, nested: Bool, to text: inout TextBuffer
  ) {
    switch plan.pointee.form {
    case .fields(let fields): write(fields, value, nested: nested, to: &text)
    case .optional(let wrapped, let witnesses):
      guard witnesses.caseNumber(of: value) == 0 else { return text.append(Self.none) }
      text.append("Optional(" as StaticString)
      write(wrapped, value, nested: true, to: &text)
      text.append(byte: UInt8(ascii: ")"))
    case .cases(let cases): write(cases, value, nested: nested, to: &text)
    case .array(let element, let start, let stride, let isContiguous):
      if nested, isContiguous { text.append("ContiguousArray(" as StaticString) }
      writeArray(value, element, start, stride, to: &text)
      if nested, isContiguous { text.append(byte: UInt8(ascii: ")")) }
    case .set(let element, let stride): writeSet(value, element, stride, nested, to: &text)
    case .dictionary(let key, let keyStride, let element, let stride):
      writeDictionary(value, (key, keyStride), (element, stride), to: &text)
    case .object, .existential:
      guard let known = content(plan, value) else {
        return writeOwn(value, plan, nested: nested, to: &text)
      }
      write(known.plan, known.value, nested: nested, to: &text)
    case .own(let own): text.append(own.pointee.make(value, nested))
    default: writeSimple(plan, value, nested: nested, to: &text)
    }
  }

  private static var separator: ShortLiteral { ShortLiteral(", ") }
  private static var colon: ShortLiteral { ShortLiteral(": ") }
  private static var none: ShortLiteral { ShortLiteral("nil") }

  /// Writes a part of a value. Parts of the most frequent types don't take a call of `write`, which
  /// is 60 instructions because of all its variables.
  @inline(__always)
  private static func writePart(
    _ plan: Pointer, _ value: UnsafeRawPointer, to text: inout TextBuffer
  ) {
    switch plan.pointee.form {
    case .int: text.append(integer: value.load(as: Int.self))
    case .bool: KnownTexts.write(value.load(as: Bool.self), to: &text)
    case .double: KnownTexts.write(value.load(as: Double.self), nested: true, to: &text)
    case .string:
      KnownTexts.write(value.assumingMemoryBound(to: String.self).pointee, nested: true, to: &text)
    default: write(plan, value, nested: true, to: &text)
    }
  }

  /// Writes a value without parts. This is a separate function because in unoptimized code, the
  /// variables of all cases would take stack space at each level of a nested value.
  @inline(__always)
  private static func writeSimple(
    _ plan: Pointer, _ value: UnsafeRawPointer, nested: Bool, to text: inout TextBuffer
  ) {
    switch plan.pointee.form {
    case .int: text.append(integer: value.load(as: Int.self))
    case .int8: text.append(integer: Int(value.load(as: Int8.self)))
    case .int16: text.append(integer: Int(value.load(as: Int16.self)))
    case .int32: text.append(integer: Int(value.load(as: Int32.self)))
    case .int64: text.append(integer: Int(value.load(as: Int64.self)))
    case .uint8: text.append(integer: Int(value.load(as: UInt8.self)))
    case .uint16: text.append(integer: Int(value.load(as: UInt16.self)))
    case .uint32: text.append(integer: Int(value.load(as: UInt32.self)))
    case .uint, .uint64: KnownTexts.write(value.load(as: UInt64.self), to: &text)
    case .bool: KnownTexts.write(value.load(as: Bool.self), to: &text)
    case .double: KnownTexts.write(value.load(as: Double.self), nested: nested, to: &text)
    case .float: KnownTexts.write(value.load(as: Float.self), nested: nested, to: &text)
    case .string:
      KnownTexts.write(
        value.assumingMemoryBound(to: String.self).pointee, nested: nested, to: &text)
    case .substring:
      KnownTexts.write(
        value.assumingMemoryBound(to: Substring.self).pointee, nested: nested, to: &text)
    case .character:
      KnownTexts.write(
        String(value.assumingMemoryBound(to: Character.self).pointee), nested: nested, to: &text)
    case .uuid: UUIDText.write(UnsafeRawBufferPointer(start: value, count: 16), to: &text)
    case .constant(let name): text.append(nested ? name.nested : name.alone)
    default: break
    }
  }

  private static func write(
    _ fields: Fields, _ value: UnsafeRawPointer, nested: Bool, to text: inout TextBuffer
  ) {
    text.append(nested ? fields.opening.nested : fields.opening.alone)
    for index in 0..<fields.count {
      guard !text.isFull else { return }
      let field = fields.first + index
      text.append(field.pointee.before)
      writePart(field.pointee.plan, value + field.pointee.offset, to: &text)
    }
    text.append(byte: UInt8(ascii: ")"))
  }

  @inline(never)
  private static func write(
    _ cases: Cases, _ value: UnsafeRawPointer, nested: Bool, to text: inout TextBuffer
  ) {
    let number = cases.witnesses.caseNumber(of: value)
    guard number < cases.count else { return }
    let known = cases.first + number
    text.append(nested ? known.pointee.name.nested : known.pointee.name.alone)
    guard let payload = known.pointee.payload, !text.isFull else { return }
    guard cases.isPacked else {
      return write(known, payload, inPlace: value, to: &text)
    }
    // The copy's references are only valid as long as the value exists.
    withUnsafeTemporaryAllocation(byteCount: max(cases.size, 8), alignment: 16) { copy in
      guard let start = copy.baseAddress else { return }
      start.copyMemory(from: value, byteCount: cases.size)
      cases.witnesses.extractPayload(start)
      write(known, payload, inPlace: UnsafeRawPointer(start), to: &text)
    }
  }

  private static func write(
    _ known: UnsafePointer<Case>, _ payload: Pointer, inPlace value: UnsafeRawPointer,
    to text: inout TextBuffer
  ) {
    var value = value
    if let offset = known.pointee.boxOffset {
      guard let box = value.load(as: UnsafeRawPointer?.self) else { return }
      value = box + offset
    }
    // The standard library writes the parentheses of a tuple payload only once.
    if isTuple(payload, value) { return write(payload, value, nested: true, to: &text) }
    text.append(byte: UInt8(ascii: "("))
    write(payload, value, nested: true, to: &text)
    text.append(byte: UInt8(ascii: ")"))
  }

  @inline(never)
  private static func isTuple(_ plan: Pointer, _ value: UnsafeRawPointer) -> Bool {
    switch plan.pointee.form {
    case .fields(let fields): return fields.isTuple
    case .object, .existential:
      guard let known = content(plan, value) else {
        return TextPlanner.own(declaredType(of: plan)).isTuple(value)
      }
      return isTuple(known.plan, known.value)
    case .own(let own): return own.pointee.isTuple(value)
    default: return false
    }
  }

  @inline(never)
  private static func writeArray(
    _ value: UnsafeRawPointer, _ element: Pointer, _ start: Int, _ stride: Int,
    to text: inout TextBuffer
  ) {
    let object = value.load(as: UnsafeRawPointer.self)
    let count = object.load(fromByteOffset: Int(CollectionLayout.count), as: Int.self)
    text.append(byte: UInt8(ascii: "["))
    var next = object + start
    for index in 0..<count {
      guard !text.isFull else { return }
      if index > 0 { text.append(Self.separator) }
      writePart(element, next, to: &text)
      next += stride
    }
    text.append(byte: UInt8(ascii: "]"))
  }

  @inline(never)
  private static func writeSet(
    _ value: UnsafeRawPointer, _ element: Pointer, _ stride: Int, _ nested: Bool,
    to text: inout TextBuffer
  ) {
    let buckets = Buckets(value.load(as: UnsafeRawPointer.self), CollectionLayout.setBits)
    text.append(nested ? "Set([" : "[")
    var isFirst = true
    buckets.visit { bucket in
      guard !text.isFull else { return false }
      if !isFirst { text.append(", " as StaticString) }
      isFirst = false
      write(element, buckets.keys + bucket * stride, nested: true, to: &text)
      return true
    }
    text.append(nested ? "])" : "]")
  }

  @inline(never)
  private static func writeDictionary(
    _ value: UnsafeRawPointer, _ key: (plan: Pointer, stride: Int),
    _ element: (plan: Pointer, stride: Int), to text: inout TextBuffer
  ) {
    let buckets = Buckets(value.load(as: UnsafeRawPointer.self), CollectionLayout.dictionaryBits)
    text.append(byte: UInt8(ascii: "["))
    var isFirst = true
    buckets.visit { bucket in
      guard !text.isFull else { return false }
      if !isFirst { text.append(Self.separator) }
      isFirst = false
      writePart(key.plan, buckets.keys + bucket * key.stride, to: &text)
      text.append(Self.colon)
      writePart(element.plan, buckets.values + bucket * element.stride, to: &text)
      return true
    }
    text.append(isFirst ? ":]" : "]")
  }

  // MARK: Values with a dynamic type

  /// Returns the plan and the address of the value in a container, or the plan of the object of a
  /// reference. Returns nil if there isn't a plan.
  @inline(never)
  private static func content(
    _ plan: Pointer, _ value: UnsafeRawPointer
  ) -> (plan: Pointer, value: UnsafeRawPointer)? {
    guard case .existential = plan.pointee.form else {
      // The class is in the first word of an object. Its plan takes the reference.
      let object = value.load(as: UnsafeRawPointer.self)
      return PlanTable.shared.plan(ofObjects: object.load(as: UInt.self)).map { ($0, value) }
    }
    let type = value.load(fromByteOffset: ExistentialLayout.type, as: UInt.self)
    guard let known = PlanTable.shared.plan(of: type, wait: false),
      let witnesses = ValueWitnesses(type)
    else { return nil }
    guard !witnesses.isInline else { return (known, value) }
    let box = value.load(as: UnsafeRawPointer.self)
    let start = CollectionLayout.start(
      after: CollectionLayout.boxHeader, alignment: witnesses.alignment)
    return (known, box + start)
  }

  private static func declaredType(of plan: Pointer) -> Any.Type {
    if case .object = plan.pointee.form { AnyObject.self } else { Any.self }
  }

  /// Writes the text from the standard library.
  @inline(never)
  private static func writeOwn(
    _ value: UnsafeRawPointer, _ plan: Pointer, nested: Bool, to text: inout TextBuffer
  ) {
    text.append(TextPlanner.own(declaredType(of: plan)).make(value, nested))
  }
}

/// The buckets in use of a dictionary or set.
private struct Buckets {
  let keys: UnsafeRawPointer
  let values: UnsafeRawPointer
  private let words: UnsafeRawPointer
  private let count: Int

  init(_ object: UnsafeRawPointer, _ bits: UInt) {
    count = 1 << Int(object.load(fromByteOffset: Int(CollectionLayout.scale), as: Int8.self))
    keys = object.load(fromByteOffset: Int(CollectionLayout.keys), as: UnsafeRawPointer.self)
    // In a set, these bytes contain its first bits.
    values = object.load(fromByteOffset: Int(CollectionLayout.values), as: UnsafeRawPointer.self)
    words = object + Int(bits)
  }

  /// Calls `body` with the number of each bucket in use until `body` returns false.
  @inline(__always)
  func visit(_ body: (Int) -> Bool) {
    for index in 0..<max(1, count / 64) {
      var word = words.load(fromByteOffset: index * 8, as: UInt64.self)
      if count < 64 { word &= 1 << UInt64(count) - 1 }
      while word != 0 {
        guard body(index * 64 + word.trailingZeroBitCount) else { return }
        word &= word - 1
      }
    }
  }
}
