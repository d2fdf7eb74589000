private struct Updates: Sendable {
  func run() async {}
}
private let updates = Updates()
private struct Store: Sendable {
  func load(_ query: String) async {}
}
private let store = Store()
