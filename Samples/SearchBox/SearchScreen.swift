import Dispatch
import ReactiveKit
import ReactiveTrace

/// A screen with the results for the text in the search box.
final class SearchScreen {
  /// The number of lines that match the newest query.
  let resultCount = Property(0)

  private let index: SourceIndex
  private let bag = DisposeBag()

  init(searchText: PassthroughSubject<String, Never>, index: SourceIndex, leaks: Bool) {
    self.index = index
    let results = makeResults(searchText).share(limit: 1)
    defer { results.map(\.lines.count).bind(to: resultCount) }
    guard leaks else {
      results
        .observeNext { [weak self] in self?.show($0) }
        .dispose(in: bag)
      return
    }
    // The mistake: the closure retains the screen, the screen retains the bag, and the bag retains
    // the closure. The screen keeps searching after it was closed, because nothing releases it.
    results
      .observeNext { self.show($0) }
      .dispose(in: bag)
  }

  private func makeResults(_ searchText: PassthroughSubject<String, Never>)
    -> Signal<SearchResults, Never>
  {
    let index = index
    return
      searchText
      .lane("search.keystrokes")
      .debounce(for: 0.2)
      .removeDuplicates()
      .lane("search.query")
      .flatMapLatest { query in
        index.search(query)
          .retry(2, if: { $0.isTemporary })
          .timeout(after: 2, with: SearchError.tookTooLong)
          .lane("search.request", transformValue: { "\($0.lines.count) lines" })
          .flatMapError { error in
            Signal<SearchResults, Never>(just: SearchResults(query: query, problem: error))
          }
      }
      .receive(on: DispatchQueue.main)
      .lane("search.results", transformValue: { "\($0.query): \($0.lines.count)" })
  }

  private func show(_ results: SearchResults) {
    if let problem = results.problem {
      print("  '\(results.query)': \(problem)")
    } else {
      print(
        "  '\(results.query)': \(results.lines.count) lines, first \(results.lines.first ?? "-")")
    }
  }
}
