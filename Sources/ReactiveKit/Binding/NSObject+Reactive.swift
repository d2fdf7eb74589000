#if canImport(Foundation)
  public import Foundation

  extension NSObject: ReactiveExtensionsProvider {}
#endif

// Apple platforms only: associated objects and key-value observing need the runtime of Objective-C.
#if canImport(ObjectiveC)
  import ObjectiveC

  extension NSObject: DisposeBagProvider {
    /// Disposed when the object is deallocated. Made when it is first asked for.
    public var bag: DisposeBag {
      objc_sync_enter(self)
      defer { objc_sync_exit(self) }
      let key = Unmanaged.passUnretained(BagKey.shared).toOpaque()
      if let bag = objc_getAssociatedObject(self, key) as? DisposeBag { return bag }
      let bag = DisposeBag()
      objc_setAssociatedObject(self, key, bag, .OBJC_ASSOCIATION_RETAIN)
      return bag
    }
  }

  private final class BagKey: Sendable {
    static let shared = BagKey()
  }

  extension ReactiveExtensions where Base: NSObject {
    /// Disposed when the object is deallocated.
    public var bag: DisposeBag { base.bag }

    /// Completes when the object is deallocated.
    public var deallocated: SafeSignal<Void> { base.deallocated }

    /// The values of a property by key-value observing: the current one first, then each that is set. Completes when the
    /// object is deallocated, and does not keep it alive.
    public func publisher<Value>(
      for keyPath: KeyPath<Base, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> SafeSignal<Value> {
      // A key path is not `Sendable`, and changes come from any thread; it is only read.
      let path = Transferred(keyPath)
      return SafeSignal { [weak base] observer in
        guard let base else {
          observer.receive(completion: .finished)
          return NonDisposable.instance
        }
        // By way of the object: a change need not carry its value.
        let observation = base.observe(path.value, options: options) { object, _ in
          observer.receive(object[keyPath: path.value])
        }
        let end = base.deallocated.observeCompleted { observer.receive(completion: .finished) }
        return CompositeDisposable([BlockDisposable(observation.invalidate), end])
      }
    }
  }
#endif
