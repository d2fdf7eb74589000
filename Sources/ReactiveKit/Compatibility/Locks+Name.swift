// Only this file, NSObject+Reactive and MainThread need Foundation. Clients of ReactiveKit expect
// these members of Foundation's types.
#if canImport(Foundation)
  public import Foundation

  extension NSLock {
    /// Creates a lock with a name for the debugger.
    public convenience init(name: String) {
      self.init()
      self.name = name
    }
  }

  extension NSRecursiveLock {
    /// Creates a recursive lock with a name for the debugger.
    public convenience init(name: String) {
      self.init()
      self.name = name
    }
  }
#endif
