// Blocks are in: SearchScreen
private let results = PassthroughSubject<[String], Never>()

private final class SearchScreen {
  let bag = DisposeBag()
  func show(_ results: [String]) {}
}
