import TraceFormat

/// A rule that finds objects that nothing can reach, and that aren't on a cycle.
struct Unreachable: Rule {
  static let id = "unreachable"

  var id: String { Self.id }
  var level: RuleLevel { .error }

  var summary: String {
    "Nothing leads to an object that was never freed."
  }

  var advice: String {
    "Release the object once for each time that it was retained by hand."
  }

  var explanation: String {
    """
    Nothing in the process leads to the object: no variable, no thread, and no other object. So \
    the program can neither use nor release it, and it is never freed. It isn't on a cycle. \
    Usually, it was retained by hand and never released: Unmanaged.passRetained, retain, memory \
    that was allocated and not deallocated, or a continuation that nobody resumes.

    Release what passRetained returned exactly once, with takeRetainedValue or release. \
    Deinitialize memory before it is deallocated. If C code keeps the address, keep it where the \
    search finds it: in a variable, in memory of the allocator, or in mapped memory.

    If a step of a cycle was found only by looking for words that may be pointers, the cycle is \
    probable. Its objects are reported here, with the cycle below them.

    trace-viewer run --leaks and trace-viewer leaks find such objects.
    """
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    log.leakedObjects.compactMap { index, objects in
      let retention = log.retention(of: index)
      let isCycle = retention?.isCycle == true
      guard !isCycle || retention?.isProbable == true else { return nil }
      let name = log.lifecycles[index].site.lane
      let words: FindingMessage =
        objects.count == 1
        ? "nothing leads to an object of \(name), which is never freed"
        : "nothing leads to \(objects.count) objects of \(name), which are never freed"
      return Finding(
        self, index, retention: isCycle ? retention : nil, .always,
        "\(words): \(count: objects.bytes, "byte")")
    }
  }
}
