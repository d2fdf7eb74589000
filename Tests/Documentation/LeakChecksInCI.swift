import Testing

private final class SearchScreen: Sendable {
  func load() async {}
  func close() {}
}

private func exercise() async throws {}
