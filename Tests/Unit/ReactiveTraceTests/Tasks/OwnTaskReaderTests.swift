#if os(Linux)
  import Testing

  @testable import ReactiveTrace

  @Suite("The current task", .enabled(if: OwnTaskReader.isLayoutKnown))
  struct OwnTaskReaderTests {
    private func nameOfCurrentTask() -> String? {
      withUnsafeCurrentTask { task in
        task.flatMap { OwnTaskReader.name(of: unsafeBitCast($0, to: UInt.self)) }
      }
    }

    @Test("The name of a task is read, and only the beginning of a very long one")
    func names() async {
      #expect(await Task(name: "short") { nameOfCurrentTask() }.value == "short")
      #expect(await Task(name: "") { nameOfCurrentTask() }.value == "")
      let whole = String(repeating: "n", count: 511)
      #expect(await Task(name: whole) { nameOfCurrentTask() }.value == whole)
      let long = String(repeating: "ä", count: 100_000)
      #expect(
        await Task(name: long) { nameOfCurrentTask() }.value
          == String(repeating: "ä", count: 255) + "…")
    }
  }
#endif
