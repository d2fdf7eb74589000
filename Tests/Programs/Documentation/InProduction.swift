private struct Request: Sendable {}
private let request = Request()
private func handle(_ request: Request) async {}
