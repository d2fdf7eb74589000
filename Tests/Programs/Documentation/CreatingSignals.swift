import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

struct Settings {}

final class Timer {
  func cancel() {}
}

final class Button {
  var onTap: () -> Void = {}
}

let bag = DisposeBag()
nonisolated(unsafe) let button = Button()

func startTimer(_ tick: @escaping (Int) -> Void) -> Timer {
  tick(1)
  return Timer()
}

func loadSettings() throws -> Settings { Settings() }

func fetch(_ completion: @escaping (Int) -> Void) { completion(1) }
