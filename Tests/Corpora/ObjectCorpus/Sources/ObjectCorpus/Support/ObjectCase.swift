/// A small program that leaks objects, or that looks as if it did.
///
/// If a closure is on the cycle, the line where it begins has the comment `// closure: NAME`, so
/// that the runner can find the place that a finding should name.
///
/// The expectation is made only if it is printed. Otherwise, the memory of its texts and arrays
/// would be reused while the program runs, with words in it that look like references.
struct ObjectCase: Sendable {
  typealias Expected<Value> = @Sendable () -> Value

  let name: String
  /// The mistake, or nil if the program is healthy.
  let mistake: Expected<Mistake>?
  /// A second mistake, which has a finding of its own.
  let secondMistake: Expected<Mistake>?
  /// The number of instances that are alive at the end and reachable, by the name of the class.
  let alive: Expected<[String: Int]>
  let program: @Sendable () -> Void

  static func leak(
    _ name: String, _ mistake: @autoclosure @escaping Expected<Mistake>,
    alive: @autoclosure @escaping Expected<[String: Int]> = [:],
    program: @escaping @Sendable () -> Void
  ) -> ObjectCase {
    ObjectCase(
      name: name, mistake: mistake, secondMistake: nil, alive: alive, program: program)
  }

  static func leaks(
    _ name: String, _ mistake: @autoclosure @escaping Expected<Mistake>,
    _ secondMistake: @autoclosure @escaping Expected<Mistake>,
    program: @escaping @Sendable () -> Void
  ) -> ObjectCase {
    ObjectCase(
      name: name, mistake: mistake, secondMistake: secondMistake, alive: { [:] }, program: program)
  }

  /// - Parameter alive: the instances that are alive at the end. All of them are reachable.
  static func healthy(
    _ name: String, alive: @autoclosure @escaping Expected<[String: Int]>,
    program: @escaping @Sendable () -> Void
  ) -> ObjectCase {
    ObjectCase(name: name, mistake: nil, secondMistake: nil, alive: alive, program: program)
  }

  static var all: [ObjectCase] {
    [
      closureLeaks, closureStorageLeaks, captureLeaks, delegateLeaks, graphLeaks, genericLeaks,
      payloadLeaks, collectionLeaks, storageLeaks, taskLeaks, dispatchLeaks, foundationLeaks,
      retainLeaks, memoryLeaks, oldWordLeaks, signalLeaks, libraryLeaks, ownerLeaks,
      identifierLeaks, separateLeaks, dependentLeaks, waitingTaskLeaks, healthyGlobals,
      healthyValues,
      healthyWeakReferences, healthyBrokenCycles, healthyMemory, healthyThreads, healthyQueues,
      healthyTasks, healthyWaitingTasks,
      healthyFoundation, healthyExits, healthyLayouts, healthyDependents,
    ].flatMap { $0 }
  }
}

extension ObjectCase: Encodable {
  private enum CodingKeys: CodingKey { case name, mistakes, alive }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode([mistake?(), secondMistake?()].compactMap(\.self), forKey: .mistakes)
    try container.encode(alive(), forKey: .alive)
  }
}
