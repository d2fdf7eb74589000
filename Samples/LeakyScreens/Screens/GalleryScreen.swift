import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let gallery = Lesson(
    name: "GalleryScreen",
    lane: "gallery.photos",
    mistake: "A static cache keeps the loaders of a screen that was closed.",
    cure: "Take the loaders out of the cache when the screen closes.",
    leaky: {
      let screen = GalleryScreen()
      screen.open()
      Camera.photos.send("harbor.jpg")
      screen.close()
    },
    cured: {
      let screen = CuredGalleryScreen()
      screen.open()
      Camera.photos.send("harbor.jpg")
      screen.close()
    })
}

private enum Camera {
  static let photos = PassthroughSubject<String, Never>()
}

/// A loader of the photos of an album.
private final class PhotoLoader {
  private var newest = ""
  private let bag = DisposeBag()

  init() {
    Camera.photos
      .lane("gallery.photos")
      .observeNext { [weak self] in self?.newest = $0 }  // observed
      .dispose(in: bag)
  }
}

@MainActor
private enum LoaderCache {
  static var loaders: [String: PhotoLoader] = [:]
}

/// A screen with an album.
@MainActor
private final class GalleryScreen {
  private var loader: PhotoLoader?

  func open() {
    let loader = PhotoLoader()
    LoaderCache.loaders["vacation"] = loader
    self.loader = loader
  }

  func close() { loader = nil }
}

@MainActor
private final class CuredGalleryScreen {
  private var loader: PhotoLoader?

  func open() {
    let loader = PhotoLoader()
    LoaderCache.loaders["vacation"] = loader
    self.loader = loader
  }

  func close() {
    loader = nil
    LoaderCache.loaders["vacation"] = nil
  }
}
