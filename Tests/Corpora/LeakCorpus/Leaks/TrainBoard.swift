import Dispatch
import ReactiveKit

extension LeakCase {
  static let trainBoard = held(
    "path-weak-timer", lanes: ["train.delays"], roots: ["Station.board"],
    path: ["TrainBoard.bag"], holder: ["TrainBoard.bag"], alive: true,
    .now {
      let board = TrainBoard()
      board.open()
      Station.board = board
      return board
    })
}

enum Station {
  static let delays = PassthroughSubject<Int, Never>()
  nonisolated(unsafe) static var board: TrainBoard?
}

/// A board that a timer, a work item and a delayed call capture weakly. A static retains it.
final class TrainBoard: @unchecked Sendable {
  private var delay = 0
  private let bag = DisposeBag()
  private var timer: (any DispatchSourceTimer)?
  private var item: DispatchWorkItem?

  func open() {
    Station.delays
      .traced("train.delays")
      .observeNext { [weak self] in self?.delay = $0 }  // observed
      .dispose(in: bag)
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + 3600)
    timer.setEventHandler { [weak self] in self?.delay = 0 }
    timer.resume()
    self.timer = timer
    item = DispatchWorkItem { [weak self] in self?.delay = 1 }
    DispatchQueue.main.asyncAfter(deadline: .now() + 3600) { [weak self] in self?.delay = 2 }
  }
}
