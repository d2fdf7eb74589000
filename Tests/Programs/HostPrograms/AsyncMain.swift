// An asynchronous main function, as in a server.
// verdict: clean

import ReactiveKit
import ReactiveTrace

@main
struct AsyncMain {
  static func main() async {
    let names = PassthroughSubject<String, Never>()
    let bag = DisposeBag()
    names.map { $0.uppercased() }.lane("names").observeNext { print($0) }.dispose(in: bag)
    for name in ["anna", "ben"] {
      await Task.yield()
      names.send(name)
    }
    names.send(completion: .finished)
  }
}
