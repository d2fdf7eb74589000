import Foundation
import ReactiveKit

struct Response {
  let status: Int
  let body: String
}

enum RequestError: Error {
  case status(Int)
  case decoding(Error)
}

/// A server that answers requests, like a layer over a networking library.
final class Server {
  private var answers: [Response]

  init(_ answers: [Response]) {
    self.answers = answers
  }

  func request(_ path: String) -> Signal<Response, RequestError> {
    return Signal { [unowned self] observer in
      let response = self.answers.removeFirst()
      if response.status == 200 {
        observer.receive(lastElement: response)
      } else {
        observer.receive(completion: .failure(.status(response.status)))
      }
      return BlockDisposable {}
    }
  }

  func number(at path: String) -> Signal<Int, RequestError> {
    return request(path)
      .retry(1)
      .tryMap { response -> Result<Int, RequestError> in
        Int(response.body).map { .success($0) } ?? .failure(.status(0))
      }
  }
}

final class Search {
  let query = Property("")
  let isBusy = Property(false)
  let results = Property<[String]>([])
  let errors = PassthroughSubject<RequestError, Never>()
  let bag = DisposeBag()

  init(_ server: Server) {
    query
      .filter { !$0.isEmpty }
      .removeDuplicates()
      .flatMapLatest { [isBusy, errors] text in
        server.request(text)
          .feedActivity(into: isBusy)
          .suppressAndFeedError(into: errors, logging: false)
      }
      .map { $0.body.split(separator: ",").map(String.init) }
      .bind(to: results)
    query.combineLatest(with: results).observeNext { _ in }.dispose(in: bag)
  }
}

func networkingClient() -> [String] {
  var log: [String] = []
  let server = Server([
    Response(status: 503, body: ""), Response(status: 200, body: "42"),
    Response(status: 200, body: "a,b"), Response(status: 404, body: ""),
  ])
  log += server.number(at: "/answer").waitAndCollectElements().map { "\($0)" }

  let search = Search(server)
  search.errors.observeNext { log.append("\($0)") }.dispose(in: search.bag)
  search.query.value = "x"
  log += search.results.value
  search.query.value = "y"
  log.append("\(search.isBusy.value)")

  let decoded = Signal<String, Error>(just: "7").map { text -> Int in
    guard let number = Int(text) else { throw RequestError.status(1) }
    return number
  }
  log += decoded.waitAndCollectElements().map { "\($0)" }
  return log
}
