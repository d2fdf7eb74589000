// An asynchronous main function whose view model holds itself.
// verdict: leak
// finding: retain-cycle AsyncLeak.swift:22

import ReactiveKit
import ReactiveTrace

@main
struct AsyncLeak {
  static func main() async {
    ViewModel().start()
    await Task.yield()
  }
}

final class ViewModel {
  private let query = Property("")
  private let bag = DisposeBag()
  private var results: [String] = []

  func start() {
    query.lane("query").observeNext { text in self.results.append(text) }.dispose(in: bag)
    query.value = "swift"
    print(results)
  }
}
