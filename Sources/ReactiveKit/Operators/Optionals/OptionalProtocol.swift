/// A protocol for `Optional`, so that an extension can require optional elements.
public protocol OptionalProtocol: ExpressibleByNilLiteral {
  associatedtype Wrapped

  init(_ some: Wrapped)

  /// This value as an `Optional`.
  var _unbox: Wrapped? { get }
}

extension Optional: OptionalProtocol {
  @inlinable
  public var _unbox: Wrapped? { self }
}
