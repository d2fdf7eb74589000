import Dispatch
import ReactiveKit

extension ActorCase {
  static let viewModels = [
    ActorCase(name: "A view model that adds up elements") {
      let taps = PassthroughSubject<Int, Never>()
      let model = await TapViewModel(taps)
      await MainActor.run { taps.send(2) }
      return await model.count == 2
    } runsElsewhere: {
      let taps = PassthroughSubject<Int, Never>()
      let model = await TapViewModel(taps)
      await elsewhere { taps.send(2) }
      withExtendedLifetime(model) {}
    },
    ActorCase(name: "A view model that passes one of its methods") {
      let names = PassthroughSubject<String, Never>()
      let model = await ProfileViewModel(names)
      await MainActor.run { names.send("Ada") }
      return await model.title == "Hello, Ada"
    } runsElsewhere: {
      let names = PassthroughSubject<String, Never>()
      let model = await ProfileViewModel(names)
      await elsewhere { names.send("Ada") }
      withExtendedLifetime(model) {}
    },
    ActorCase(name: "A view model whose operators use its state") {
      let query = PassthroughSubject<String, Never>()
      let model = await SearchViewModel(query, scheduler: .immediate)
      await MainActor.run { query.send("swift") }
      return await model.results == ["swift 1"]
    } runsElsewhere: {
      let query = PassthroughSubject<String, Never>()
      let model = await SearchViewModel(query, scheduler: .immediate)
      await elsewhere { query.send("swift") }
      withExtendedLifetime(model) {}
    },
    ActorCase(name: "A view model that receives on a queue of its own") {
      let query = PassthroughSubject<String, Never>()
      let model = await SearchViewModel(query, scheduler: .immediateOnMain)
      await elsewhere { query.send("swift") }
      await mainQueueTurn()
      return await model.results == ["swift 1"]
    } runsElsewhere: {
      let query = PassthroughSubject<String, Never>()
      let queue = DispatchQueue(label: "search")
      let model = await SearchViewModel(query, scheduler: queue.context)
      await MainActor.run { query.send("swift") }
      queue.sync {}
      withExtendedLifetime(model) {}
    },
    ActorCase(name: "A view model with a sink") {
      let source = PassthroughSubject<Int, AppError>()
      let model = await DownloadViewModel(source)
      await MainActor.run {
        source.send(50)
        source.send(completion: .failure(.offline))
      }
      return await model.text == "50 % offline"
    } runsElsewhere: {
      let source = PassthroughSubject<Int, AppError>()
      let model = await DownloadViewModel(source)
      await elsewhere { source.send(completion: .failure(.offline)) }
      withExtendedLifetime(model) {}
    },
    ActorCase(name: "A view that a signal is bound to with a setter") {
      let counts = PassthroughSubject<Int, Never>()
      let view = await BadgeView(counts)
      await MainActor.run { counts.send(3) }
      return await view.text == "3"
    } runsElsewhere: {
      let counts = PassthroughSubject<Int, Never>()
      let view = await BadgeView(counts)
      await elsewhere { counts.send(3) }
      withExtendedLifetime(view) {}
    },
    ActorCase(name: "A view model that observes on the main actor, or forgets to") {
      let prices = PassthroughSubject<Int, Never>()
      let model = await PriceViewModel(prices)
      await elsewhere { prices.send(7) }
      await mainQueueTurn()
      return await model.text == "7"
    } runsElsewhere: {
      let prices = PassthroughSubject<Int, Never>()
      let model = await PriceViewModel(forgetful: prices)
      await elsewhere { prices.send(7) }
      withExtendedLifetime(model) {}
    },
    ActorCase(name: "A closure that is marked as one of the main actor") {
      let numbers = PassthroughSubject<Int, Never>()
      let total = await MainActor.run { RunningTotal(numbers) }
      await MainActor.run { numbers.send(4) }
      return await total.value == 4
    } runsElsewhere: {
      let numbers = PassthroughSubject<Int, Never>()
      let total = await MainActor.run { RunningTotal(numbers) }
      await elsewhere { numbers.send(4) }
      withExtendedLifetime(total) {}
    },
  ]
}

/// Waits until the main queue has run its pending work.
func mainQueueTurn() async {
  await withCheckedContinuation { end in DispatchQueue.main.async { end.resume() } }
}

enum AppError: Error {
  case offline
}

@MainActor final class TapViewModel {
  private(set) var count = 0
  private let bag = DisposeBag()

  init(_ taps: PassthroughSubject<Int, Never>) {
    taps.observeNext { [weak self] in self?.count += $0 }.dispose(in: bag)
  }
}

@MainActor final class ProfileViewModel {
  private(set) var title = ""
  private let bag = DisposeBag()

  init(_ names: PassthroughSubject<String, Never>) {
    names.observeNext(with: show).dispose(in: bag)
  }

  private func show(_ name: String) { title = "Hello, \(name)" }
}

@MainActor final class SearchViewModel {
  private(set) var results: [String] = []
  private var searches = 0
  private let bag = DisposeBag()

  init(_ query: PassthroughSubject<String, Never>, scheduler: ExecutionContext) {
    query
      .receive(on: scheduler)
      .flatMapLatest { [unowned self] text -> SafeSignal<String> in
        searches += 1
        return SafeSignal(just: "\(text) \(searches)")
      }
      .observeNext { [weak self] in self?.results.append($0) }
      .dispose(in: bag)
  }
}

@MainActor final class DownloadViewModel {
  private(set) var text = ""
  private var download: AnyCancellable?

  init(_ progress: PassthroughSubject<Int, AppError>) {
    download = progress.sink { [weak self] completion in
      if case .failure(let error) = completion { self?.text += " \(error)" }
    } receiveValue: { [weak self] percent in
      self?.text = "\(percent) %"
    }
  }
}

@MainActor final class PriceViewModel {
  private(set) var text = ""
  private let bag = DisposeBag()

  init(_ prices: PassthroughSubject<Int, Never>) {
    prices.observeNextOnMainActor { [weak self] in self?.text = "\($0)" }.dispose(in: bag)
  }

  init(forgetful prices: PassthroughSubject<Int, Never>) {
    prices.observeNext { [weak self] in self?.text = "\($0)" }.dispose(in: bag)
  }
}

@MainActor final class BadgeView: DisposeBagProvider {
  nonisolated let bag = DisposeBag()
  private(set) var text = ""

  init(_ counts: PassthroughSubject<Int, Never>) {
    counts.bind(to: self, context: .immediate) { view, count in view.text = "\(count)" }
  }
}

@MainActor final class RunningTotal {
  private(set) var value = 0

  init(_ numbers: PassthroughSubject<Int, Never>) {
    _ = numbers.observeNext { @MainActor in self.value += $0 }
  }
}
