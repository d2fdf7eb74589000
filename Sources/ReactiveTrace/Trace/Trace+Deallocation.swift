extension Trace {
  /// Makes an object, uses it, and throws `DeallocationError` if it is still alive after `grace`.
  ///
  ///     try await Trace.expectDeallocated { SearchScreen() } after: { screen in
  ///       await screen.load()
  ///       screen.close()
  ///     }
  ///
  /// The grace period begins when `use` returns. If the object has been deallocated by then, the
  /// check doesn't wait. If a closure throws, its error is rethrown and nothing is checked.
  ///
  /// The error explains what keeps the object alive, which takes at most two seconds
  /// (`REACTIVE_TRACE_EXPLAIN`). That works on Linux. On other platforms, the error only lists the
  /// object. Other tests can run at the same time. What the check itself retains is released before
  /// the grace period. If a variable of the calling code has the object, the error says so.
  ///
  /// - Parameters:
  ///   - grace: The maximum time that the check waits.
  ///   - isolation: The actor that runs the closures.
  ///   - file: The file that the error names.
  ///   - line: The line that the error names.
  ///   - make: Makes the object. It can also use it, so that `use` isn't necessary.
  ///   - use: Uses the object.
  public static func expectDeallocated<Object: AnyObject>(
    grace: Duration = .milliseconds(500), isolation: isolated (any Actor)? = #isolation,
    file: String = #fileID, line: Int = #line,
    _ make: () async throws -> Object, after use: (Object) async throws -> Void = { _ in }
  ) async throws {
    let object = try await reference(to: make, after: use)
    try await DeallocationCheck([object], source: "\(file):\(line)").verify(grace: grace)
  }

  /// Makes several objects, uses them, and throws `DeallocationError` if one of them is still alive
  /// after `grace`.
  ///
  ///     try await Trace.expectDeallocated {
  ///       let screen = SearchScreen()
  ///       return (screen, screen.model)
  ///     } after: { screen, model in
  ///       await model.load()
  ///     }
  ///
  /// Otherwise, this function behaves like the one for one object.
  public static func expectDeallocated<each Object: AnyObject>(
    grace: Duration = .milliseconds(500), isolation: isolated (any Actor)? = #isolation,
    file: String = #fileID, line: Int = #line,
    _ make: () async throws -> (repeat each Object),
    after use: (repeat each Object) async throws -> Void = { (_: repeat each Object) in }
  ) async throws {
    let objects = try await references(to: make, after: use)
    try await DeallocationCheck(objects, source: "\(file):\(line)").verify(grace: grace)
  }

  /// Makes and uses an object, and throws `DeallocationError` if it is still alive after `grace`.
  ///
  ///     try Trace.expectDeallocated {
  ///       let screen = SearchScreen()
  ///       screen.close()
  ///       return screen
  ///     }
  ///
  /// This function blocks the calling thread for at most `grace`. If the object is deallocated by
  /// work on the thread's queue, that work doesn't run during that time. Asynchronous code
  /// therefore calls the asynchronous function. Otherwise, both behave the same.
  @_disfavoredOverload
  public static func expectDeallocated<Object: AnyObject>(
    grace: Duration = .milliseconds(500), file: String = #fileID, line: Int = #line,
    _ make: () throws -> Object
  ) throws {
    let object = try reference(to: make)
    try DeallocationCheck([object], source: "\(file):\(line)").verify(grace: grace)
  }

  /// Makes and uses several objects, and throws `DeallocationError` if one of them is still alive
  /// after `grace`. Otherwise, this function behaves like the synchronous one for one object.
  @_disfavoredOverload
  public static func expectDeallocated<each Object: AnyObject>(
    grace: Duration = .milliseconds(500), file: String = #fileID, line: Int = #line,
    _ make: () throws -> (repeat each Object)
  ) throws {
    let objects = try references(to: make)
    try DeallocationCheck(objects, source: "\(file):\(line)").verify(grace: grace)
  }

  // The following functions return only after they have released the objects.

  @inline(never)
  private static func reference<Object: AnyObject>(
    isolation: isolated (any Actor)? = #isolation, to make: () async throws -> Object,
    after use: (Object) async throws -> Void
  ) async throws -> WeakReference {
    let object = try await make()
    try await use(object)
    return WeakReference(object)
  }

  @inline(never)
  private static func references<each Object: AnyObject>(
    isolation: isolated (any Actor)? = #isolation,
    to make: () async throws -> (repeat each Object),
    after use: (repeat each Object) async throws -> Void
  ) async throws -> [WeakReference] {
    let objects = try await make()
    try await use(repeat each objects)
    return references(to: repeat each objects)
  }

  @inline(never)
  private static func reference<Object: AnyObject>(
    to make: () throws -> Object
  ) throws -> WeakReference {
    WeakReference(try make())
  }

  @inline(never)
  private static func references<each Object: AnyObject>(
    to make: () throws -> (repeat each Object)
  ) throws -> [WeakReference] {
    let objects = try make()
    return references(to: repeat each objects)
  }

  private static func references<each Object: AnyObject>(
    to objects: repeat each Object
  ) -> [WeakReference] {
    var references: [WeakReference] = []
    for object in repeat each objects { references.append(WeakReference(object)) }
    return references
  }
}
