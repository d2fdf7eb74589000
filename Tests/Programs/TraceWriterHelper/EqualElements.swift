import ReactiveKit
import ReactiveTrace

/// Simultaneous subscriptions of one line that get the same elements, from the same source or from
/// sources of their own.
enum EqualElements {
  static func observe() {
    let bag = DisposeBag()
    ownSources(bag)
    sameSources(bag)
    bag.dispose()
  }

  private static func ownSources(_ bag: DisposeBag) {
    let theme = Property("dark")
    let rows = (0..<20).map { _ in Property("same") }
    for row in rows {
      row.lane("own.property").observeNext { _ in }.dispose(in: bag)
      row.map { $0 + "!" }.lane("own.mapped").observeNext { _ in }.dispose(in: bag)
      row.flatMapLatest { Signal<String, Never>(just: $0) }.lane("own.latest")
        .observeNext { _ in }.dispose(in: bag)
      row.combineLatest(with: theme).lane("own.and.common").observeNext { _ in }.dispose(in: bag)
      theme.combineLatest(with: row).lane("common.and.own").observeNext { _ in }.dispose(in: bag)
      request().lane("own.request").observeNext { _ in }.dispose(in: bag)
    }
    for row in rows { row.value = "other" }
  }

  private static func sameSources(_ bag: DisposeBag) {
    let request = request()
    let query = Property("query")
    let theme = Property("dark")
    let deferred = Deferred { self.request() }
    for _ in 0..<3 {
      request.lane("same.request").observeNext { _ in }.dispose(in: bag)
      request.map { $0 + 1 }.lane("same.mapped").observeNext { _ in }.dispose(in: bag)
      query.flatMapLatest { _ in self.request() }.lane("same.latest")
        .observeNext { _ in }.dispose(in: bag)
      query.combineLatest(with: theme).lane("same.both").observeNext { _ in }.dispose(in: bag)
      deferred.lane("same.deferred").observeNext { _ in }.dispose(in: bag)
    }
    query.value = "changed"
  }

  private static func request() -> Signal<Int, Never> {
    Signal { observer in
      observer.receive(1)
      observer.receive(2)
      return SimpleDisposable()
    }
  }
}
