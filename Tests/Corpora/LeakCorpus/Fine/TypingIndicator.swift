import ReactiveKit

extension LeakCase {
  static let typingIndicator = fine(
    "task-weak-ended", lanes: ["typing.names"],
    .later {
      let ends = Counter()
      let names = PassthroughSubject<String, Never>()
      let indicator = TypingIndicator()
      indicator.start(names, ends)
      await wait { indicator.isListening }
      names.send("Ada")
      names.send(completion: .finished)
      await wait { ends.value == 1 }
      return indicator
    })
}

/// An indicator that iterates in a task until the chat ends.
@MainActor
final class TypingIndicator {
  private var name = ""
  private(set) var isListening = false

  func start(_ names: PassthroughSubject<String, Never>, _ ends: Counter) {
    let values = names.traced("typing.names")
      .handleEvents(receiveSubscription: { [weak self] in self?.isListening = true })
      .values
    Task { [weak self] in
      for await name in values { self?.name = name }  // observed
      ends.increase()
    }
  }
}
