import ReactiveKit

extension LeakCase {
  static let voteCounter = cycle(
    "actor", lanes: ["votes.new"], path: ["closure", "VoteCounter.bag"], breaks: "closure",
    .later {
      let counter = VoteCounter()
      await counter.start()
      Ballot.votes.send(2)
      var sum = 0
      while sum != 2 { sum = await counter.sum }
      return counter
    })
}

enum Ballot {
  static let votes = PassthroughSubject<Int, Never>()
}

/// A counter of votes from any thread.
actor VoteCounter {
  private(set) var sum = 0
  private let bag = DisposeBag()

  func start() {
    Ballot.votes
      .traced("votes.new")
      .observeNext { @Sendable votes in  // observed
        Task { await self.add(votes) }
      }
      .dispose(in: bag)
  }

  private func add(_ votes: Int) { sum += votes }
}
