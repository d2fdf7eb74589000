extension SignalProtocol where Error == Never {
  /// Writes each element to a property of the object, which is kept alive meanwhile, until the result is cancelled or goes
  /// away.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Element>, on object: Root)
    -> AnyCancellable
  {
    sink { object[keyPath: keyPath] = $0 }
  }
}
