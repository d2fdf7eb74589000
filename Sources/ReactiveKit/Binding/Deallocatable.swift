/// Something that says when it goes away.
public protocol Deallocatable: AnyObject {
  /// Completes when the object is deallocated.
  var deallocated: SafeSignal<Void> { get }
}

/// Something with a bag that is disposed when it goes away.
public protocol DisposeBagProvider: Deallocatable {
  var bag: DisposeBag { get }
}

extension DisposeBagProvider {
  public var deallocated: SafeSignal<Void> { bag.deallocated }
}

/// Something that says where bindings to it run their setters.
public protocol BindingExecutionContextProvider {
  var bindingExecutionContext: ExecutionContext { get }
}
