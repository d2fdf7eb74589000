extension Trace {
  /// A check that some objects are deallocated, which can be made later than the objects.
  ///
  /// This is for tests whose objects live until the test function returns, such as a test of
  /// XCTest:
  ///
  ///     func testCheckout() {
  ///       let screen = CheckoutScreen()
  ///       let check = Trace.DeallocationCheck(screen)
  ///       addTeardownBlock { try check.verify() }
  ///       screen.buy()
  ///     }
  ///
  /// The check doesn't retain the objects. If objects can be made in a closure,
  /// `Trace.expectDeallocated` is shorter.
  public struct DeallocationCheck: Sendable {
    private let objects: [WeakReference]
    private let source: String

    public init(_ objects: AnyObject..., file: String = #fileID, line: Int = #line) {
      self.init(objects.map { WeakReference($0) }, source: "\(file):\(line)")
    }

    init(_ objects: [WeakReference], source: String) {
      self.objects = objects
      self.source = source
    }

    /// A Boolean value that indicates whether all objects have been deallocated.
    private var isFulfilled: Bool { !objects.contains { $0.isAlive } }

    /// Waits until the objects are deallocated, and throws `DeallocationError` if one of them is
    /// still alive after `grace`.
    public func verify(
      grace: Duration = .milliseconds(500), isolation: isolated (any Actor)? = #isolation
    ) async throws {
      await GracePeriod.wait(grace) { isFulfilled }
      try report(after: grace)
    }

    /// Blocks the thread until the objects are deallocated, and throws `DeallocationError` if one
    /// of them is still alive after `grace`. Work on the thread's queue doesn't run during that
    /// time. If no other task could run, what only tasks hold isn't an error.
    @_disfavoredOverload
    public func verify(grace: Duration = .milliseconds(500)) throws {
      let turn = GracePeriod.block(grace) { isFulfilled }
      try report(after: grace, turn)
    }

    private func report(after grace: Duration, _ turn: GracePeriod.Turn = .ofOthers) throws {
      guard !isFulfilled else { return }
      let retentions = ObjectExplanations.explain(
        objects, limit: EnvironmentSettings.explanationLimit)
      // Objects can have been deallocated during the search.
      let live = zip(objects, retentions).filter { object, retention in
        object.isAlive && (turn == .ofOthers || retention?.leadsThroughTask != true)
      }
      guard !live.isEmpty else { return }
      throw DeallocationError(
        objects: live.map { object, retention in
          DeallocationError.LiveObject(
            type: object.type, explanation: retention.map { Explanation($0) })
        }, source: source, grace: grace)
    }
  }
}
