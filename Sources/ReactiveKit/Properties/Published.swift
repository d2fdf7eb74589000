/// A property whose changes can be observed: by way of `$name`, and by way of `objectWillChange` of the object that
/// it belongs to.
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

  /// A signal of the values: the current one first, then each that is set.
  public var projectedValue: Publisher {
    Publisher(property: storage.property)
  }

  /// The signal of a published property. It completes when the property goes away.
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

/// How an object finds its published properties, whatever their types.
package protocol PublishedProperty {
  var willChange: PassthroughSubject<Void, Never> { get }
}

extension Published: PublishedProperty {
  package var willChange: PassthroughSubject<Void, Never> { storage.willChange }
}
