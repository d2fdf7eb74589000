import ReactiveKit

extension LeakCase {
  static let reportLoader = cycle(
    "deferred", lanes: ["report.pages"], path: ["ReportLoader.request"],
    also: ["ReportLoader.bag"], breaks: "closure",
    .now {
      let loader = ReportLoader()
      loader.load()
      Printer.pages.send(1)
      return loader
    })
}

enum Printer {
  static let pages = PassthroughSubject<Int, Never>()
}

/// A loader that stores the request as a deferred signal, so that it can be repeated.
final class ReportLoader {
  private let first = 1
  private var pages: [Int] = []
  private var request: Deferred<Signal<Int, Never>>?
  private let bag = DisposeBag()

  func load() {
    let request = Deferred { Printer.pages.filter { [first = self.first] in $0 >= first } }
    self.request = request
    request
      .traced("report.pages")
      .observeNext { [weak self] in self?.pages.append($0) }  // observed
      .dispose(in: bag)
  }
}
