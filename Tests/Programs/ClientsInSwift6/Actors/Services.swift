import ReactiveKit

extension ActorCase {
  static let services = [
    ActorCase(name: "A service on a global actor") {
      let songs = Property("Blue")
      let library = await SongLibrary(songs)
      return await library.titles == ["Blue"]
    } runsElsewhere: {
      let songs = Property("Blue")
      let library = await SongLibrary(songs)
      await elsewhere { songs.value = "Red" }
      withExtendedLifetime(library) {}
    },
    ActorCase(name: "A service that keeps side effects apart") {
      let requests = PassthroughSubject<Int, Never>()
      let service = await SessionService(requests)
      await MainActor.run { requests.send(1) }
      return await service.log == ["sent 1"]
    } runsElsewhere: {
      let requests = PassthroughSubject<Int, Never>()
      let service = await SessionService(requests)
      await elsewhere { requests.send(1) }
      withExtendedLifetime(service) {}
    },
    ActorCase(name: "A service that cleans up when it is disposed") {
      let service = CameraService()
      let capture = await service.capture()
      await MainActor.run { capture.dispose() }
      return await !service.isCapturing
    } runsElsewhere: {
      let service = CameraService()
      let capture = await service.capture()
      await elsewhere { capture.dispose() }
    },
    ActorCase(name: "A service with a loading property") {
      let service = FeedService()
      let feed = await service.makeFeed()
      await MainActor.run { feed.reload().observe { @Sendable _ in }.dispose() }
      return feed.value == "page 1"
    } runsElsewhere: {
      let service = FeedService()
      let feed = await service.makeFeed()
      await elsewhere { feed.reload().observe { _ in }.dispose() }
      withExtendedLifetime(service) {}
    },
  ]
}

@globalActor actor Storage {
  static let shared = Storage()
}

@Storage final class SongLibrary {
  private(set) var titles: [String] = []
  private let bag = DisposeBag()

  init(_ songs: Property<String>) {
    songs.observeNext { [weak self] in self?.titles.append($0) }.dispose(in: bag)
  }
}

@MainActor final class SessionService {
  private(set) var log: [String] = []
  private let bag = DisposeBag()

  init(_ requests: PassthroughSubject<Int, Never>) {
    requests
      .handleEvents(receiveOutput: { [weak self] in self?.log.append("sent \($0)") })
      .observe { @Sendable _ in }
      .dispose(in: bag)
  }
}

@MainActor final class CameraService {
  private(set) var isCapturing = false

  func capture() -> any Disposable {
    isCapturing = true
    return BlockDisposable { self.isCapturing = false }
  }
}

@MainActor final class FeedService {
  private var pages = 0

  func makeFeed() -> LoadingProperty<String, AppError> {
    LoadingProperty { [unowned self] in
      pages += 1
      return Signal(just: "page \(pages)").toLoadingSignal()
    }
  }
}
