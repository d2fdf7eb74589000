import ReactiveKit

extension LeakCase {
  static let avatarLoader = fine(
    "completed-later", lanes: ["avatar.bytes"],
    .now {
      let server = PassthroughSubject<Int, Never>()
      let loader = AvatarLoader()
      loader.load(from: server)
      server.send(512)
      server.send(completion: .finished)
      return loader
    })
}

/// A loader that captures itself strongly until the download completes.
final class AvatarLoader {
  private var bytes = 0
  private let bag = DisposeBag()

  func load(from server: PassthroughSubject<Int, Never>) {
    server
      .traced("avatar.bytes")
      .observeNext { self.bytes += $0 }  // observed
      .dispose(in: bag)
  }
}
