import Dispatch
import ReactiveKit

extension LeakCase {
  static let galleryExport = held(
    "dispatch-group-notify", lanes: ["export.photos"], roots: ["DispatchGroup"],
    path: ["closure at GalleryExport", "GalleryExport.bag"], holder: ["GalleryExport.bag"],
    alive: true,
    .now {
      let export = GalleryExport()
      export.start(["a", ""])
      return export
    })
}

enum PhotoLibrary {
  static let photos = PassthroughSubject<String, Never>()
}

/// An export that enters a group for each photo, and forgets to leave it in one case.
final class GalleryExport: @unchecked Sendable {
  private var done: [String] = []
  private let bag = DisposeBag()

  func start(_ names: [String]) {
    PhotoLibrary.photos
      .traced("export.photos")
      .observeNext { [weak self] in self?.done.append($0) }  // observed
      .dispose(in: bag)
    let group = DispatchGroup()
    for name in names {
      group.enter()
      guard !name.isEmpty else { continue }
      done.append(name)
      group.leave()
    }
    group.notify(queue: .main) { self.finish() }
  }

  private func finish() { done = [] }
}
