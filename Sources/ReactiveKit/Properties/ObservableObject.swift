/// An object that says when it is about to change.
///
/// Without further ado that is before any of its `@Published` properties changes, those of its superclasses included.
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangeSignal: SignalProtocol = Signal<Void, Never>
  where ObjectWillChangeSignal.Error == Never

  var objectWillChange: ObjectWillChangeSignal { get }
}

extension ObservableObject where ObjectWillChangeSignal == Signal<Void, Never> {
  /// Sends before a published property changes; completes when all of them are gone.
  ///
  /// The properties are looked up by reflection each time this is asked for: a few microseconds for each of them, and nothing for
  /// objects that nobody observes.
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
