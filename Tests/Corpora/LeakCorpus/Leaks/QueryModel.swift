import ReactiveKit

extension LeakCase {
  static let queryModel = cycle(
    "published", lanes: ["query.text"], path: ["closure"],
    also: ["QueryModel.subscriptions", "QueryModel._query", "QueryModel.query"], breaks: "closure",
    .now {
      let model = QueryModel()
      model.start()
      model.query = "leak"
      return model
    })
}

/// A model that observes its own published property.
final class QueryModel: ObservableObject {
  @Published var query = ""
  private var searches = 0
  private var subscriptions: Set<AnyCancellable> = []

  func start() {
    $query
      .traced("query.text")
      .sink { _ in self.searches += 1 }  // observed
      .store(in: &subscriptions)
  }
}
