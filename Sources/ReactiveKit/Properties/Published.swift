/// A property whose changes can be observed through `$name`, and through the `objectWillChange`
/// signal of the object that contains it.
///
///     final class Search: ObservableObject {
///       @Published var query = ""
///     }
///     search.$query.sink { ... }
@propertyWrapper
public struct Published<Value> {
  let storage: PublishedStorage<Value>

  public init(wrappedValue: Value) {
    storage = PublishedStorage(wrappedValue)
  }

  public init(initialValue: Value) {
    self.init(wrappedValue: initialValue)
  }

  public var wrappedValue: Value {
    get { storage.property.value }
    nonmutating set {
      storage.willChange.send(())
      storage.property.value = newValue
    }
  }

  /// A signal of the values: the current value first, then each value that is set.
  public var projectedValue: Publisher {
    Publisher(property: storage.property)
  }

  /// The signal of a published property. The signal completes when the property is deallocated.
  public struct Publisher: SignalProtocol {
    public typealias Element = Value
    public typealias Error = Never

    let property: Property<Value>

    public func observe(with observer: @escaping Observer<Value, Never>) -> any Disposable {
      property.observe(with: observer)
    }

    public func _attach(_ observer: @escaping Observer<Value, Never>, to chain: ChainDisposable) {
      property._attach(observer, to: chain)
    }
  }
}

final class PublishedStorage<Value> {
  let property: Property<Value>
  let willChange = PassthroughSubject<Void, Never>()

  init(_ value: Value) {
    property = Property(value)
  }

  deinit {
    willChange.send(completion: .finished)
  }
}

/// A published property with any type of value. Objects use it to find their published properties.
package protocol PublishedProperty {
  var willChange: PassthroughSubject<Void, Never> { get }
}

extension Published: PublishedProperty {
  package var willChange: PassthroughSubject<Void, Never> { storage.willChange }
}
