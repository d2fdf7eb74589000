import Foundation
import ReactiveKit

extension LeakCase {
  static let spellingJob = fine(
    "operation-finished", lanes: ["spelling.words"],
    .now {
      let job = SpellingJob()
      job.run()
      return job
    })
}

enum SpellingServer {
  static let words = PassthroughSubject<String, Never>()
}

/// A job that runs an operation that retains it, and then drops the operation.
final class SpellingJob: @unchecked Sendable {
  private var words: [String] = []
  private let bag = DisposeBag()
  private var operation: BlockOperation?

  func run() {
    SpellingServer.words
      .traced("spelling.words")
      .observeNext { [weak self] in self?.words.append($0) }  // observed
      .dispose(in: bag)
    let operation = BlockOperation { [unowned self] in words.append("checked") }
    self.operation = operation
    operation.start()
    self.operation = nil
  }
}
