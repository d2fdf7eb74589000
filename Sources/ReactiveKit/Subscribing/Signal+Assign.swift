extension SignalProtocol where Error == Never {
  /// Writes each element to a property of the object, until the result is canceled or deallocated.
  /// Keeps the object alive in the meantime.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Element>, on object: Root)
    -> AnyCancellable
  {
    sink { object[keyPath: keyPath] = $0 }
  }
}
