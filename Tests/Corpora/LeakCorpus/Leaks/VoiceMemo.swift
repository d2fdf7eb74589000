import Dispatch
import ReactiveKit

extension LeakCase {
  static let voiceMemo = cycle(
    "dispatch-group-stored", lanes: ["memo.levels"],
    path: ["closure at VoiceMemo", "VoiceMemo.pending", "VoiceMemo.bag"], breaks: "closure",
    .now {
      let memo = VoiceMemo()
      memo.record()
      return memo
    })
}

enum MemoRecorder {
  static let levels = PassthroughSubject<Int, Never>()
}

/// A memo that stores a group whose notification retains it.
final class VoiceMemo: @unchecked Sendable {
  private var levels: [Int] = []
  private let bag = DisposeBag()
  private let pending = DispatchGroup()

  func record() {
    MemoRecorder.levels
      .traced("memo.levels")
      .observeNext { [weak self] in self?.levels.append($0) }  // observed
      .dispose(in: bag)
    pending.enter()
    pending.notify(queue: .main) { self.close() }
  }

  private func close() { levels = [] }
}
