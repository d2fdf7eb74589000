import Dispatch
import ReactiveKit

extension LeakCase {
  static let searchDebouncer = fine(
    "dispatch-work-item-performed", lanes: ["debouncer.queries"],
    .now {
      let debouncer = SearchDebouncer()
      debouncer.open()
      debouncer.search()
      return debouncer
    })
}

enum SearchHistory {
  static let queries = PassthroughSubject<String, Never>()
}

/// An object that performs a work item that retains it, and then drops the item.
final class SearchDebouncer: @unchecked Sendable {
  private var query = ""
  private let bag = DisposeBag()
  private var pending: DispatchWorkItem?

  func open() {
    SearchHistory.queries
      .traced("debouncer.queries")
      .observeNext { [weak self] in self?.query = $0 }  // observed
      .dispose(in: bag)
  }

  func search() {
    let item = DispatchWorkItem {
      self.query = "searched"
      self.pending = nil
    }
    pending = item
    DispatchQueue(label: "search").sync(execute: item)
  }
}
