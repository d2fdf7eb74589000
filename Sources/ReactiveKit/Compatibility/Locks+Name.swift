// This, NSObject+Reactive and MainThread are the only files that need Foundation: clients of ReactiveKit expect these members of its types.
#if canImport(Foundation)
  public import Foundation

  extension NSLock {
    /// A lock with a name for the debugger.
    public convenience init(name: String) {
      self.init()
      self.name = name
    }
  }

  extension NSRecursiveLock {
    /// A recursive lock with a name for the debugger.
    public convenience init(name: String) {
      self.init()
      self.name = name
    }
  }
#endif
