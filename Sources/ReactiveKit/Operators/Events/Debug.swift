extension SignalProtocol {
  /// Prints the life of each observation to standard output: `[title] started`, `next(...)`, `failed: ...`, `finished`,
  /// `disposed`.
  ///
  /// The title is the place in the source where none is given. With ReactiveTrace imported, its own `debug` is chosen.
  @_disfavoredOverload
  public func debug(
    _ id: String? = nil, file: String = #file, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let title = id ?? "\(name):\(function):\(line)"
    return handleEvents(
      receiveSubscription: { print("[\(title)] started") },
      receiveOutput: { print("[\(title)] next(\($0))") },
      receiveCompletion: {
        switch $0 {
        case .failure(let error): print("[\(title)] failed: \(error)")
        case .finished: print("[\(title)] finished")
        }
      },
      receiveCancel: { print("[\(title)] disposed") })
  }
}
