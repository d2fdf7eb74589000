extension Trace {
  /// An error that lists the objects that a check found alive, and explains what keeps them alive.
  public struct DeallocationError: Error, Sendable, CustomStringConvertible {
    /// An object that is alive.
    public struct LiveObject: Sendable, CustomStringConvertible {
      /// The name of the object's class.
      public let type: String
      /// The explanation of why the object is alive. It is nil if it wasn't searched for, because
      /// `REACTIVE_TRACE_EXPLAIN` is `off` or the thread has too little stack left.
      public let explanation: Explanation?

      /// The class and the explanation, on several lines.
      public var description: String {
        let lines = explanation?.description.split(separator: "\n") ?? []
        return ([type] + lines.map { "    " + $0 }).joined(separator: "\n")
      }
    }

    public let objects: [LiveObject]
    /// The source location of the check, such as `AppTests/CartTests.swift:12`.
    public let source: String
    /// The time that the check waited for the objects to be deallocated.
    public let grace: Duration

    public var description: String {
      let were = objects.count == 1 ? "1 object was" : "\(objects.count) objects were"
      let heading =
        "\(were) not deallocated within a grace period of \(ActiveSubscription.text(grace)), "
        + "checked at \(source):"
      return ([heading] + objects.map { "! \($0)" } + [remark].compactMap(\.self))
        .joined(separator: "\n")
    }

    /// What to do if the code around the check has an object.
    private var remark: String? {
      guard objects.contains(where: { $0.explanation?.isOnlyOfCaller == true }) else { return nil }
      return "The caller is the code around the check. Make the object in the first closure, and "
        + "don't store it in a variable outside of the closures."
    }
  }
}
