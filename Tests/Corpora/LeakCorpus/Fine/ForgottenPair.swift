import ReactiveKit

extension LeakCase {
  static let forgottenPair = fine(
    "object-cycle-disposed", lanes: ["pair.hints"], alive: true,
    .now {
      let left = ForgottenPair()
      let right = ForgottenPair()
      left.other = right
      right.other = left
      left.start()
      PairSource.hints.send("fine")
      left.stop()
      return left
    })
}

enum PairSource {
  static let hints = PassthroughSubject<String, Never>()
}

/// Two objects that retain each other forever, but whose subscription has ended.
final class ForgottenPair {
  var other: ForgottenPair?
  private var hint = ""
  private let bag = DisposeBag()

  func start() {
    PairSource.hints
      .traced("pair.hints")
      .observeNext { [weak self] in self?.hint = $0 }  // observed
      .dispose(in: bag)
  }

  func stop() { bag.dispose() }
}
