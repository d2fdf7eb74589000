import TraceFormat

extension Trace {
  /// Explains what keeps an object alive: a retain cycle, or a path from a variable, a task, a
  /// thread or a queue.
  ///
  ///     print(Trace.explain(screen))
  ///
  ///     kept alive by a cycle:
  ///       closure at Search.swift:26   captures self strongly      <- break it here: [weak self]
  ///       SearchScreen.onChange        closure
  ///
  /// The code that calls this function has the object itself, so its local variables aren't an
  /// answer. If nothing else was found, ``Explanation/isOnlyOfCaller`` is true.
  ///
  /// This searches the memory of the process on the calling thread, on Linux. It takes a few
  /// milliseconds for each 10 MB, and several times as long in unoptimized programs. The first call
  /// takes longer, because it reads the debug information. The search neither calls code of the
  /// program nor stops other threads. In a signal handler and in a forked child, the result is that
  /// the time was too short.
  ///
  /// - Parameters:
  ///   - object: An object of any class, such as an actor. A closure isn't an object. To find what
  ///     holds it, ask about an object that it captures.
  ///   - limit: The time limit for the search.
  public static func explain(_ object: AnyObject, limit: Duration = .seconds(2)) -> Explanation {
    let retentions = ObjectExplanations.explain(
      [WeakReference(object)], limit: limit.inNanoseconds, callerHasThem: true)
    return withExtendedLifetime(object) {
      Explanation(retentions[0] ?? Retention(kind: .none, limit: .time))
    }
  }
}
