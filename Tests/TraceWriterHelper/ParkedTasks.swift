import SystemLibrary

/// Tasks that wait forever, for tests that read them from another process.
enum ParkedTasks {
  /// Starts the tasks, reports that, and waits to be killed.
  static func waitForEnd() {
    Task(name: "parked.checkout") { await checkout() }
    Task(name: "parked.canceled") { await answer() }.cancel()
    Modes.report("started\n")
    while true { pause() }
  }

  /// Waits for a child that nobody lets continue.
  private static func checkout() async {
    async let value: Void = answer()
    await value
  }

  /// Waits for a continuation that nobody resumes.
  private static func answer() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}
