import ReactiveKit

extension LeakCase {
  static let racingDownload = fine(
    "disposal-races-completion", lanes: ["racing.bytes"],
    .now {
      for _ in 0..<200 {
        let server = PassthroughSubject<Int, Never>()
        let bag = DisposeBag()
        RacingDownload().start(from: server, in: bag)
        race(
          { server.send(lastElement: 1) },
          { bag.dispose() })
      }
      return nil
    })
}

/// A download that is canceled at the same moment as it completes.
final class RacingDownload {
  private var bytes = 0

  func start(from server: PassthroughSubject<Int, Never>, in bag: DisposeBag) {
    server
      .traced("racing.bytes")
      .observeNext { self.bytes += $0 }  // observed
      .dispose(in: bag)
  }
}
