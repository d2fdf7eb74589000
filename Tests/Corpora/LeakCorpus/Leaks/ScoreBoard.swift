import ReactiveKit

extension LeakCase {
  static let scoreBoard = cycle(
    "scan", lanes: ["board.points"], path: ["closure", "ScoreBoard.bag"], breaks: "closure",
    .now {
      let board = ScoreBoard()
      board.start()
      Referee.points.send(3)
      return board
    })
}

enum Referee {
  static let points = PassthroughSubject<Int, Never>()
}

/// A board that adds up points. It reads the factor from itself for each point.
final class ScoreBoard {
  var factor = 2
  private let total = Property(0)
  private let bag = DisposeBag()

  func start() {
    Referee.points
      .traced("board.points")
      .scan(0) { sum, points in sum + points * self.factor }
      .observeNext { [total] in total.value = $0 }  // observed
      .dispose(in: bag)
  }
}
