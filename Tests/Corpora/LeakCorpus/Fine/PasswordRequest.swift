import ReactiveKit

extension LeakCase {
  static let passwordRequest = fine(
    "future-fulfilled", lanes: ["password.result"],
    .now {
      let request = PasswordRequest()
      request.start()
      request.answer("secret")
      return request
    })
}

/// A request that stores a promise until the promise is fulfilled.
final class PasswordRequest {
  private var promise: Future<String, Never>.Promise?
  private var password: String?

  func start() {
    let answer = Future<String, Never> { promise in self.promise = promise }
    _ =
      answer
      .traced("password.result")
      .observeNext { self.password = $0 }  // observed
  }

  func answer(_ password: String) {
    promise?(.success(password))
    promise = nil
  }
}
