/// What code does that was written against ReactiveKit 3.x, in the order in which it does it.
public func runClients() -> [String] {
  loadingClient() + bindingClient() + subscribingClient() + networkingClient()
    + bridgingClient()
}
