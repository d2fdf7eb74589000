/// Runs code that was written against ReactiveKit 3.x, and returns its actions in order.
public func runClients() -> [String] {
  loadingClient() + bindingClient() + subscribingClient() + networkingClient()
    + bridgingClient()
}
