import Dispatch
import ReactiveKit

extension LeakCase {
  static let chessEngine = held(
    "pool-thread-local", lanes: ["chess.moves"], roots: ["local variable", "that runs"],
    path: ["ChessEngine.bag"], holder: ["ChessEngine.bag"], alive: true,
    .later {
      let isReady = DispatchSemaphore(value: 0)
      DispatchQueue.global().async { ChessEngine.play(isReady) }
      wait(for: isReady)
      return ChessEngine.last
    })
}

/// Waits in a function that isn't asynchronous.
private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

enum ChessBoard {
  static let moves = PassthroughSubject<String, Never>()
}

/// An engine in a local variable of a function that waits forever on a thread of the pool.
final class ChessEngine: @unchecked Sendable {
  nonisolated(unsafe) static weak var last: ChessEngine?
  private var moves: [String] = []
  private let bag = DisposeBag()

  static func play(_ isReady: DispatchSemaphore) {
    let engine = ChessEngine()
    engine.start()
    last = engine
    isReady.signal()
    DispatchSemaphore(value: 0).wait()
    engine.moves = []
  }

  private func start() {
    ChessBoard.moves
      .traced("chess.moves")
      .observeNext { [weak self] in self?.moves.append($0) }  // observed
      .dispose(in: bag)
  }
}
