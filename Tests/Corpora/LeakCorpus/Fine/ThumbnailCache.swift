import ReactiveKit

extension LeakCase {
  static let thumbnailCache = fine(
    "cache-emptied", lanes: ["thumbnail.progress"],
    .now {
      let thumbnail = ThumbnailCache.shared.thumbnail(for: "cat.png")
      Scaler.progress.send(50)
      ThumbnailCache.shared.removeAll()
      return thumbnail
    })
}

enum Scaler {
  static let progress = PassthroughSubject<Int, Never>()
}

/// A cache that drops everything when memory is low.
@MainActor
final class ThumbnailCache {
  static let shared = ThumbnailCache()

  private var thumbnails: [String: Thumbnail] = [:]

  func thumbnail(for name: String) -> Thumbnail {
    if let known = thumbnails[name] { return known }
    let thumbnail = Thumbnail()
    thumbnails[name] = thumbnail
    return thumbnail
  }

  func removeAll() { thumbnails.removeAll() }
}

final class Thumbnail {
  private var percent = 0
  private let bag = DisposeBag()

  init() {
    Scaler.progress
      .traced("thumbnail.progress")
      .observeNext { [weak self] in self?.percent = $0 }  // observed
      .dispose(in: bag)
  }
}
