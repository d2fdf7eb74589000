import Foundation
import ReactiveKit

extension LeakCase {
  static let requestScope = held(
    "thread-dictionary", lanes: ["request.headers"], roots: ["threadDictionary"],
    path: ["RequestScope.bag"], holder: ["RequestScope.bag"], alive: true,
    .now {
      let scope = RequestScope()
      scope.begin()
      return scope
    })
}

enum RequestServer {
  static let headers = PassthroughSubject<String, Never>()
}

/// A scope in the dictionary of its thread, from which it is never removed.
final class RequestScope {
  private var headers: [String] = []
  private let bag = DisposeBag()

  func begin() {
    RequestServer.headers
      .traced("request.headers")
      .observeNext { [weak self] in self?.headers.append($0) }  // observed
      .dispose(in: bag)
    Thread.current.threadDictionary["request.scope"] = self
  }
}
