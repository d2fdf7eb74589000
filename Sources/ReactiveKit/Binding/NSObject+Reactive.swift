#if canImport(Foundation)
  public import Foundation

  extension NSObject: ReactiveExtensionsProvider {}
#endif

// Apple platforms only: associated objects and key-value observing need the Objective-C runtime.
#if canImport(ObjectiveC)
  import ObjectiveC

  extension NSObject: DisposeBagProvider {
    /// A bag that is disposed when the object is deallocated. The first access creates the bag.
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
    /// A bag that is disposed when the object is deallocated.
    public var bag: DisposeBag { base.bag }

    /// A signal that completes when the object is deallocated.
    public var deallocated: SafeSignal<Void> { base.deallocated }

    /// Returns a signal of a property's values, based on key-value observing.
    ///
    /// With the default options, the signal sends the current value first, then each value that is
    /// set. The signal completes when the object is deallocated. It does not keep the object alive.
    public func publisher<Value>(
      for keyPath: KeyPath<Base, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> SafeSignal<Value> {
      // A key path is not `Sendable`, and changes come from any thread. Sharing it is safe because
      // the code only reads it.
      let path = Transferred(keyPath)
      return SafeSignal { [weak base] observer in
        guard let base else {
          observer.receive(completion: .finished)
          return NonDisposable.instance
        }
        // Read the value from the object, because a change does not always carry it.
        let observation = base.observe(path.value, options: options) { object, _ in
          observer.receive(object[keyPath: path.value])
        }
        let end = base.deallocated.observeCompleted { observer.receive(completion: .finished) }
        return CompositeDisposable([BlockDisposable(observation.invalidate), end])
      }
    }
  }
#endif
