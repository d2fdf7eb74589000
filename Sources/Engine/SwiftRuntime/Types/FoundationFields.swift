/// The Foundation classes that count references by hand.
extension RuntimeTypes {
  /// The fields whose references the owner counts by hand, by class. The compiler treats them as
  /// unmanaged (swift-corelibs-foundation, Sources/Foundation/Operation.swift).
  private static let countedByHand: [String: Set<String>] = [
    "Foundation.OperationQueue": ["__firstOperation"],
    "Foundation.Operation": ["__nextOperation"],
  ]

  /// Returns the fields of a class, with the fields that are counted by hand changed to strong
  /// references.
  func withFieldsCountedByHand(
    _ fields: [RuntimeType.Field], ofClass address: UInt
  ) -> [RuntimeType.Field] {
    guard fields.contains(where: { $0.name.hasPrefix("__") }),
      let names = Self.countedByHand[String(reflecting: Metadata.type(at: address))]
    else { return fields }
    let object = type(AnyObject.self)
    return fields.map { field in
      guard names.contains(field.name), field.size == object.size else { return field }
      return RuntimeType.Field(
        name: field.name, offset: field.offset, type: object, size: object.size)
    }
  }
}
