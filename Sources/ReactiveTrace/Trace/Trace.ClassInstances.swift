import TraceFormat

extension Trace {
  /// Returns the subscriptions that are alive now, and the numbers of live instances by class.
  ///
  /// A count copies the memory of the process, at most 512 MB, which takes about half a second, and
  /// several times as long in unoptimized programs. It doesn't stop other threads, so what they
  /// create and release meanwhile may or may not be included.
  ///
  /// - Parameter instances: Whether instances are counted. This requires Linux, glibc's
  ///   allocator and the trait `Causes` of the package.
  public static func snapshot(instances: Bool) -> Snapshot {
    var snapshot = snapshot()
    if instances { snapshot.instances = ClassInstances.all() }
    return snapshot
  }

  /// The live instances of one class.
  public struct ClassInstances: Sendable, Equatable {
    /// The name of the class with its module, such as `Shop.Cart`.
    public let className: String
    public let count: Int
    /// The size of the instances with what the allocator adds, in bytes. It doesn't include other
    /// objects to which they lead.
    public let bytes: Int

    /// Counts the instances of all classes, those with the most bytes first. Returns nil if the
    /// memory can't be searched.
    fileprivate static func all() -> [ClassInstances]? {
      guard LeakExplanations.mayBegin, LeakExplanations.hasStack,
        let found = Causes.search?.countInstances(listing: [])
      else { return nil }
      var classes: [String: (count: Int, bytes: Int)] = [:]
      for one in found.classes where one.count > 0 {
        let name = found.name(one.metadata).full
        let other = classes[name] ?? (0, 0)
        classes[name] = (other.count + one.count, other.bytes + one.bytes)
      }
      return classes.map {
        ClassInstances(className: $0, count: $1.count, bytes: $1.bytes)
      }
      .sorted { ($1.bytes, $0.className) < ($0.bytes, $1.className) }
    }
  }
}

extension Trace.Snapshot {
  /// Returns the classes with more instances in this snapshot than in an earlier one, with the
  /// differences, the largest number first. Returns an empty array if instances weren't counted.
  public func instances(since earlier: Trace.Snapshot) -> [Trace.ClassInstances] {
    guard let instances, let before = earlier.instances else { return [] }
    let known = Dictionary(before.map { ($0.className, $0) }) { first, _ in first }
    return instances.compactMap { now in
      let count = now.count - (known[now.className]?.count ?? 0)
      let bytes = now.bytes - (known[now.className]?.bytes ?? 0)
      return count > 0
        ? Trace.ClassInstances(className: now.className, count: count, bytes: bytes) : nil
    }
    .sorted { ($1.count, $0.className) < ($0.count, $1.className) }
  }
}
