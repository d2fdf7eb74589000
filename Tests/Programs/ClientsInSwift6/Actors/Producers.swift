import Dispatch
import ReactiveKit

extension ActorCase {
  static let producers = [
    ActorCase(name: "A signal whose producer uses the main actor") {
      let scanner = await MainActor.run { Scanner() }
      return await MainActor.run { scanner.codes().waitAndCollectElements() } == [1]
    } runsElsewhere: {
      let scanner = await MainActor.run { Scanner() }
      await MainActor.run {
        _ = scanner.codes().subscribe(on: DispatchQueue(label: "scanner").context)
          .waitAndCollectElements()
      }
    },
    ActorCase(name: "A signal that calls a factory of the main actor") {
      let scanner = await MainActor.run { Scanner() }
      return await MainActor.run { scanner.later().waitAndCollectElements() } == [1]
    } runsElsewhere: {
      let scanner = await MainActor.run { Scanner() }
      await MainActor.run {
        _ = scanner.later().subscribe(on: DispatchQueue(label: "scanner").context)
          .waitAndCollectElements()
      }
    },
  ]
}

@MainActor final class Scanner {
  private var number = 0

  func codes() -> SafeSignal<Int> {
    SafeSignal { observer in
      self.number += 1
      observer.receive(lastElement: self.number)
      return NonDisposable.instance
    }
  }

  func later() -> SafeSignal<Int> {
    SafeSignal(deferring: {
      self.number += 1
      return SafeSignal(just: self.number)
    })
  }
}
