private let searchText = Property("")
private let results = Property<[String]>([])

private func search(_ query: String) -> SafeSignal<[String]> { SafeSignal(just: [query]) }

private final class SearchScreen: Sendable {
  func load() async {}
  func close() {}
}
