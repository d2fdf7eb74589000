#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension SignalProtocol {
  /// Raises SIGTRAP when one of the closures returns true.
  ///
  /// SIGTRAP stops the program in a debugger. Without a debugger, the default action for SIGTRAP
  /// ends the program.
  ///
  /// If ReactiveTrace is imported, the compiler chooses its `breakpoint` instead.
  @_disfavoredOverload
  public func breakpoint(
    receiveSubscription: (() -> Bool)? = nil,
    receiveOutput: ((Element) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Error>) -> Bool)? = nil
  ) -> Signal<Element, Error> {
    handleEvents(
      receiveSubscription: { if receiveSubscription?() == true { stopInDebugger() } },
      receiveOutput: { if receiveOutput?($0) == true { stopInDebugger() } },
      receiveCompletion: { if receiveCompletion?($0) == true { stopInDebugger() } })
  }

  /// Raises SIGTRAP when the signal fails.
  @_disfavoredOverload
  public func breakpointOnError() -> Signal<Element, Error> {
    breakpoint(receiveCompletion: {
      if case .failure = $0 { return true }
      return false
    })
  }
}

private func stopInDebugger() {
  raise(SIGTRAP)
}
