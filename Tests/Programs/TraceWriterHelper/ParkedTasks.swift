import SystemLibrary

/// Tasks that wait forever, for tests that read them from another process.
enum ParkedTasks {
  /// Starts the tasks, reports that they have started, and waits to be killed.
  static func waitForEnd() {
    Task(name: "parked.checkout") { await checkout() }
    Task(name: "parked.canceled") { await answer() }.cancel()
    Modes.report("started\n")
    while true { pause() }
  }

  /// Waits for a child task that never ends.
  private static func checkout() async {
    async let value: Void = answer()
    await value
  }

  /// Waits for a continuation that is never resumed.
  private static func answer() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}
