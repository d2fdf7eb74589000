import ReactiveTrace

/// A comparison of the recorder's text with `String(describing:)`.
struct Comparison {
  private var types: Set<ObjectIdentifier> = []
  private var values = 0
  /// The types that the recorder describes without `String(describing:)`.
  private var planned: Set<ObjectIdentifier> = []
  private(set) var differences: [String] = []

  /// Compares values alone, and as parts of a structure, an enumeration, a tuple, an optional, a
  /// collection and a container of any type.
  ///
  /// The types are known only at run time here. Code for each of them would take minutes to build.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  mutating func callAsFunction<Value>(_ values: Value..., line: Int = #line, file: String = #fileID)
  {
    for value in values {
      let place = "\(file):\(line)"
      compare(value, place)
      compare(Holder(before: 1, value: value, after: "end"), place)
      compare(Choice<Value>.none, place)
      compare(Choice.value(value), place)
      compare(Choice.named(value: value), place)
      compare(Choice.boxed(value), place)
      compare(Only.value(value), place)
      compare((value, 7), place)
      compare((label: value, 7), place)
      compare(Optional(value), place)
      compare(Optional(Optional(value)), place)
      compare([value, value], place)
      compare(["key": value], place)
      compare(value as Any, place)
      compare([value as Any, 1], place)
      compare(Holder<Any>(before: 1, value: value, after: ""), place)
      compare(Choice<Any>.value(value), place)
    }
  }

  /// Compares one value without wrapping it in containers.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  mutating func compare<Value>(_ value: Value, _ place: String) {
    values += 1
    types.insert(ObjectIdentifier(Value.self))
    let expected = String(describing: value)
    let whole = text(of: value, limit: .max)
    if whole != expected {
      differences.append("\(place): \(Value.self) is '\(whole)' and should be '\(expected)'")
    }
    // A log contains the beginning of truncated text.
    let short = text(of: value, limit: 20)
    if !expected.utf8.starts(with: short.utf8) || expected.utf8.count <= 20 && short != expected {
      differences.append("\(place): \(Value.self), cut, is '\(short)' of '\(expected)'")
    }
  }

  private mutating func text<Value>(of value: Value, limit: Int) -> String {
    let writer = ValueWriter<Value>.describing()
    guard writer.usesPlan else { return String(describing: value) }
    planned.insert(ObjectIdentifier(Value.self))
    var buffer = TextBuffer()
    defer { buffer.deallocate() }
    buffer.begin(limit: limit)
    writer.write(value, to: &buffer)
    return buffer.string(within: limit)
  }

  /// Prints how much was compared, and the first differences.
  func report() {
    print("\(values) values of \(types.count) types, \(planned.count) of them with plans")
    for difference in differences.prefix(50) { print(difference) }
    if !differences.isEmpty { print("\(differences.count) differences") }
  }
}

struct Holder<Value> {
  var before: Int8
  var value: Value
  var after: String
}

enum Choice<Value> {
  case none
  case value(Value)
  case named(value: Value)
  indirect case boxed(Value)
  case other(Int)
}

enum Only<Value> { case value(Value) }
