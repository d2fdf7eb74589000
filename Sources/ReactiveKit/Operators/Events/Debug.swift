extension SignalProtocol {
  /// Prints the events of each subscription to standard output: `[title] started`, `next(...)`,
  /// `failed: ...`, `finished`, `disposed`.
  ///
  /// Without an `id`, the title is the source location. If ReactiveTrace is imported, the compiler
  /// chooses its `debug` instead.
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
