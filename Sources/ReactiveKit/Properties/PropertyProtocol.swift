/// A type with a current value.
public protocol PropertyProtocol {
  associatedtype ProperyElement

  var value: ProperyElement { get }
}
