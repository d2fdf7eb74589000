/// What `Optional` conforms to, so that an extension can ask for optional elements.
public protocol OptionalProtocol: ExpressibleByNilLiteral {
  associatedtype Wrapped

  init(_ some: Wrapped)

  /// This value as the optional that it is.
  var _unbox: Wrapped? { get }
}

extension Optional: OptionalProtocol {
  @inlinable
  public var _unbox: Wrapped? { self }
}
