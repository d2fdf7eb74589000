/// An object that reports when it is about to change.
///
/// By default, the object reports before any of its `@Published` properties changes, including the
/// properties of its superclasses.
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangeSignal: SignalProtocol = Signal<Void, Never>
  where ObjectWillChangeSignal.Error == Never

  var objectWillChange: ObjectWillChangeSignal { get }
}

extension ObservableObject where ObjectWillChangeSignal == Signal<Void, Never> {
  /// A signal that sends before a published property changes, and completes when all published
  /// properties are deallocated.
  ///
  /// Each access looks up the properties by reflection. The lookup takes a few microseconds for
  /// each property and costs nothing for objects that nobody observes.
  public var objectWillChange: Signal<Void, Never> {
    var subjects: [PassthroughSubject<Void, Never>] = []
    var mirror: Mirror? = Mirror(reflecting: self)
    while let current = mirror {
      subjects += current.children.compactMap { ($0.value as? any PublishedProperty)?.willChange }
      mirror = current.superclassMirror
    }
    return Signal(flattening: subjects, strategy: .merge)
  }
}
