import ReactiveKit

extension LeakCase {
  static let photoImport = fine(
    "flat-map-merge-ended", lanes: ["import.photos"],
    .now {
      let files = PassthroughSubject<String, Never>()
      let photos = PhotoImport()
      photos.start(files)
      files.send("cat")
      files.send("dog")
      files.send(completion: .finished)
      return photos
    })
}

/// An import that captures itself strongly everywhere until all photos have arrived.
final class PhotoImport {
  private var photos: [String] = []
  private let bag = DisposeBag()

  func start(_ files: PassthroughSubject<String, Never>) {
    files
      .flatMapMerge { self.scale($0) }
      .traced("import.photos")
      .observeNext { self.photos.append($0) }  // observed
      .dispose(in: bag)
  }

  private func scale(_ file: String) -> Signal<String, Never> {
    Signal(just: file).map { name in "\(name) \(self.photos.count)" }
  }
}
