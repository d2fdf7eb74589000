import Testing
import XCTest

private final class SearchScreen: Sendable {
  func load() async {}
  func close() {}
}

private final class LoginScreen {
  func close() {}
}

private func exercise() async throws {}
