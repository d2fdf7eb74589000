import ReactiveKit

extension LeakCase {
  static let loginRequest = fine(
    "failed-later", lanes: ["login.request"],
    .now {
      let server = PassthroughSubject<String, LoginError>()
      let request = LoginRequest()
      request.start(on: server)
      server.send(completion: .failure(.refused))
      return request
    })
}

enum LoginError: Error { case refused }

/// A request that captures itself strongly until the server refuses.
final class LoginRequest {
  private var token = ""
  private var isRefused = false
  private var subscriptions: Set<AnyCancellable> = []

  func start(on server: PassthroughSubject<String, LoginError>) {
    server
      .traced("login.request")
      .sink(  // observed
        receiveCompletion: { if case .failure = $0 { self.isRefused = true } },
        receiveValue: { self.token = $0 }
      )
      .store(in: &subscriptions)
  }
}
