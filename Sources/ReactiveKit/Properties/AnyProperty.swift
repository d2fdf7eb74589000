/// A property that can be read and observed but not set.
public final class AnyProperty<Value>: PropertyProtocol, SignalProtocol, Sendable {
  public typealias ProperyElement = Value

  private let property: Property<Value>

  public init(property: Property<Value>) {
    self.property = property
  }

  public var value: Value { property.value }

  public func observe(with observer: @escaping Observer<Value, Never>) -> any Disposable {
    property.observe(with: observer)
  }

  public func _attach(_ observer: @escaping Observer<Value, Never>, to chain: ChainDisposable) {
    property._attach(observer, to: chain)
  }
}
