/// An object that reports its deallocation.
public protocol Deallocatable: AnyObject {
  /// A signal that completes when the object is deallocated.
  var deallocated: SafeSignal<Void> { get }
}

/// An object with a bag that is disposed when the object is deallocated.
public protocol DisposeBagProvider: Deallocatable {
  var bag: DisposeBag { get }
}

extension DisposeBagProvider {
  public var deallocated: SafeSignal<Void> { bag.deallocated }
}

/// A type that provides the execution context in which bindings to it run their setters.
public protocol BindingExecutionContextProvider {
  var bindingExecutionContext: ExecutionContext { get }
}
