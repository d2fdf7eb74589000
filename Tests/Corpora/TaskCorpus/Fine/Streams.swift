import Dispatch
import Foundation

extension TaskCase {
  static let fineStreams: [TaskCase] = [
    .fine("stream-with-global-input") {
      let (stream, input) = AsyncStream<Int>.makeStream()
      Inputs.shared.add(input)
      Task { for await _ in stream {} }
    },
    .fine("stream-of-a-timer") {
      let stream = AsyncStream<Int> { input in
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + 1000, repeating: 1000)
        timer.setEventHandler { input.yield(1) }
        timer.resume()
        Sources.shared.add(timer)
      }
      Task { for await _ in stream {} }
    },
    .fine("stream-fed-by-a-task") {
      let stream = AsyncStream<Int> { input in
        Task {
          while true {
            try? await Task.sleep(for: .seconds(1000))
            input.yield(1)
          }
        }
      }
      Task { for await _ in stream {} }
    },
    .fine("unfolding-stream") {
      let stream = AsyncStream<Int> {
        try? await Task.sleep(for: .seconds(1000))
        return 1
      }
      Task { for await _ in stream {} }
    },
    .fine("stream-of-a-global-object") {
      let model = Model()
      Globals.keeper = model
      model.start()
    },
    .fine("two-readers") {
      let (first, second) = (AsyncStream<Int>.makeStream(), AsyncStream<Int>.makeStream())
      Inputs.shared.add(first.continuation)
      Task {
        for await value in first.stream { second.continuation.yield(value) }
      }
      Task { for await _ in second.stream {} }
    },
    .fine("stream-of-a-thread") {
      let (stream, input) = AsyncStream<Int>.makeStream()
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 1000)
        input.yield(1)
      }
      Task { for await _ in stream {} }
    },
  ]
}

private final class Inputs: @unchecked Sendable {
  static let shared = Inputs()
  private var all: [AsyncStream<Int>.Continuation] = []
  func add(_ input: AsyncStream<Int>.Continuation) { all.append(input) }
}

private final class Model: @unchecked Sendable {
  private let values: AsyncStream<Int>
  private let input: AsyncStream<Int>.Continuation
  private var count = 0

  init() { (values, input) = AsyncStream.makeStream() }

  func start() { Task { for await value in values { self.count += value } } }
}
