import Foundation
import ReactiveKit

extension TaskCase {
  static let leaks: [TaskCase] = [
    .stuck("stream-of-self", "task-leak") {
      Ticker().start()
    },
    .stuck("stream-of-owner", "task-leak") {
      let owner = Owner()
      Task { for await value in owner.values { owner.note(value) } }  // waits: stream-of-owner
    },
    .stuck("throwing-stream", "task-leak") {
      let feed = Feed()
      Task { for try await value in feed.values { feed.note(value) } }  // waits: throwing-stream
    },
    .stuck("values-of-own-signal", "task-leak") {
      News().follow()
    },
  ]
}

private final class Ticker: @unchecked Sendable {
  private let values: AsyncStream<Int>
  private let input: AsyncStream<Int>.Continuation
  private var count = 0

  init() { (values, input) = AsyncStream.makeStream() }

  func start() {
    Task {
      for await value in values { self.count += value }  // waits: stream-of-self
    }
  }
}

private final class Owner: @unchecked Sendable {
  let values: AsyncStream<Int>
  private let input: AsyncStream<Int>.Continuation
  private var last = 0

  init() { (values, input) = AsyncStream.makeStream() }

  func note(_ value: Int) { last = value }
}

private final class Feed: @unchecked Sendable {
  let values: AsyncThrowingStream<Int, any Error>
  private let input: AsyncThrowingStream<Int, any Error>.Continuation
  private var last = 0

  init() { (values, input) = AsyncThrowingStream.makeStream() }

  func note(_ value: Int) { last = value }
}

private final class News: @unchecked Sendable {
  private let news = PassthroughSubject<String, Never>()
  private var items: [String] = []

  func follow() {
    Task {
      for await item in news.values { self.items.append(item) }  // waits: values-of-own-signal
    }
  }
}
