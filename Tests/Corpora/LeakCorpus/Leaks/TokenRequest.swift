import ReactiveKit

extension LeakCase {
  static let tokenRequest = cycle(
    "future", lanes: ["token.result"], path: ["closure"],
    also: ["TokenRequest.promise"], breaks: "closure",
    .now {
      let request = TokenRequest()
      request.start()
      return request
    })
}

/// A request that stores a promise until the server answers, which never happens.
final class TokenRequest {
  private var promise: Future<String, Never>.Promise?
  private var token: String?

  func start() {
    let answer = Future<String, Never> { promise in self.promise = promise }
    _ =
      answer
      .traced("token.result")
      .observeNext { self.token = $0 }  // observed
  }
}
