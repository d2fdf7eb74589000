private let searchText = Property("")
private let results = Property<[String]>([])

private func search(_ query: String) -> SafeSignal<[String]> { SafeSignal(just: [query]) }
private func show(_ profile: String) {}
private let profile = ""
private func runApp() async {}
