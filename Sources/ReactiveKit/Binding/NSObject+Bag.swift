// Apple platforms only: objects of Objective-C get a bag and the reactive namespace. Not built on Linux.
#if canImport(ObjectiveC)
  import ObjectiveC
  public import class ObjectiveC.NSObject

  extension NSObject: ReactiveExtensionsProvider {}

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
#endif
