package import SystemLibrary

/// The search for what keeps subscriptions, tasks and objects alive, as the recorder knows it.
///
/// TraceCauses has the only implementation. The recorder doesn't depend on it: a program is
/// compiled faster if both are compiled at the same time, and can be built without it.
package protocol CauseSearching: Sendable {
  /// The memory that a search needs besides its results, in bytes.
  var neededMemory: Int { get }

  /// Creates an empty set of names of this process.
  func makeNames() -> any LocationNames

  /// Returns the address of a variable of the program or the library that has some code. Returns
  /// nil if it isn't in the table of symbols, or if time runs out.
  func address(
    ofVariable symbol: String, besideCodeAt code: UInt, isInTime: @escaping () -> Bool
  ) -> UInt?

  /// Explains why subscriptions are alive. Those that time doesn't suffice for are missing. Returns
  /// nil if this platform doesn't allow a search.
  ///
  /// - Parameters:
  ///   - live: All live subscriptions.
  ///   - frame: The frame of the code that asks. The search of its stack begins there.
  ///   - deadline: The end of the search, in nanoseconds of the monotonic clock.
  ///   - functions: Returns the functions that begin at addresses.
  func explain(
    _ wanted: [SearchedSubscription], among live: [SearchedSubscription], frame: UInt,
    by deadline: Int, _ functions: ([UInt]) -> [UInt: CodeFunction]
  ) -> [Int: Retention]?

  /// Explains why objects are alive. Those that were deallocated are missing. Returns nil if this
  /// platform doesn't allow a search.
  ///
  /// - Parameters:
  ///   - live: All live subscriptions.
  ///   - frame: The frame of the code that asks. The search of its stack begins there.
  ///   - callerHasThem: Whether the code that asks has the objects for certain. Otherwise it only
  ///     has them if their addresses are found there.
  ///   - deadline: The end of the search, in nanoseconds of the monotonic clock.
  ///   - functions: Returns the functions that begin at addresses.
  func explainObjects(
    _ targets: [SearchedSubscription], among live: [SearchedSubscription], callerHasThem: Bool,
    frame: UInt, by deadline: Int, _ functions: ([UInt]) -> [UInt: CodeFunction]
  ) -> [Int: ObjectExplanation]?

  /// Counts the live instances of this process. Returns nil if the memory can't be searched safely.
  ///
  /// - Parameter wanted: The metadata of the classes whose instances are listed.
  func countInstances(listing wanted: Set<UInt>) -> InstanceCount?

  /// Returns all tasks of this process that haven't ended, sorted by their numbers.
  func tasks(limit: Duration) throws(TaskInspectionError) -> [RunningTask]

  /// Explains why tasks are alive. Tasks without an explanation are missing.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the tasks.
  ///   - limit: The maximum time, in nanoseconds.
  func explainTasks(_ numbers: [UInt64], limit: Int) -> [UInt64: Retention]

  /// Returns the tasks for the records of a log.
  func unfinishedTasks(_ wanted: TaskRequest) -> TaskList

  /// Returns the stuck tasks that have each mark, and why there may be more of them. It is nil if
  /// these are all.
  ///
  /// This blocks the calling thread, which must not be one of the pool that runs tasks.
  ///
  /// - Parameters:
  ///   - marks: The addresses of the marks with all bits inverted, or nil for those without a
  ///     task. The calling code must not retain the marks.
  ///   - limit: The maximum time, in nanoseconds.
  func stuckTasks(
    from marks: [UInt?], limit: Int
  ) -> (tasks: [[StuckTask]], limit: Retention.Limit?)
}

/// An explanation of why an object is alive, with the classes of the objects on the way.
package struct ObjectExplanation {
  package let retention: Retention
  /// The metadata of the objects that hold each other or the object.
  package let holders: Set<UInt>

  package init(retention: Retention, holders: Set<UInt> = []) {
    self.retention = retention
    self.holders = holders
  }
}

/// The live instances of classes, counted by class.
package struct InstanceCount {
  /// The instances of one class.
  package struct Class {
    /// The address of the metadata.
    package let metadata: UInt
    package let count: Int
    /// The size of the instances with what the allocator adds, in bytes.
    package let bytes: Int

    package init(metadata: UInt, count: Int, bytes: Int) {
      self.metadata = metadata
      self.count = count
      self.bytes = bytes
    }
  }

  /// The name of a class.
  package struct Name {
    /// The name with the module, such as `Shop.Cart`.
    package let full: String
    /// The name without modules.
    package let short: String
    /// Whether the class belongs to the program or to one of its packages.
    package let isOfUser: Bool

    package init(full: String, short: String, isOfUser: Bool) {
      self.full = full
      self.short = short
      self.isOfUser = isOfUser
    }
  }

  /// The classes with at least one instance.
  package let classes: [Class]
  /// The addresses of the instances of the requested classes, by the metadata. All bits are
  /// inverted: a search for holders would take an address here for a reference.
  package let hiddenAddresses: [UInt: [UInt]]
  /// Returns the name of a class, given the address of its metadata.
  package let name: (UInt) -> Name

  package init(
    classes: [Class], hiddenAddresses: [UInt: [UInt]], name: @escaping (UInt) -> Name
  ) {
    self.classes = classes
    self.hiddenAddresses = hiddenAddresses
    self.name = name
  }
}
