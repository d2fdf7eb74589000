import ReactiveKit

extension LeakCase {
  static let imageCache = held(
    "cache-in-static", lanes: ["image.progress"], roots: ["ImageCache.shared"],
    path: ["ImageCache.loaders"], also: ["ImageLoader.bag", "ImageLoader.progress"], alive: true,
    .now {
      let loader = ImageCache.shared.loader(for: "cat.png")
      loader.progress.send(50)
      return loader
    })
}

/// A cache that keeps every loader that it ever created.
@MainActor
final class ImageCache {
  static let shared = ImageCache()

  private var loaders: [String: ImageLoader] = [:]

  func loader(for name: String) -> ImageLoader {
    if let known = loaders[name] { return known }
    let loader = ImageLoader()
    loaders[name] = loader
    return loader
  }
}

final class ImageLoader {
  let progress = PassthroughSubject<Int, Never>()
  private var percent = 0
  private let bag = DisposeBag()

  init() {
    progress
      .traced("image.progress")
      .observeNext { [weak self] in self?.percent = $0 }  // observed
      .dispose(in: bag)
  }
}
