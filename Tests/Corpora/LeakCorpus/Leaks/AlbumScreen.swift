import ReactiveKit

extension LeakCase {
  static let albumScreen = cycle(
    "two-screens", lanes: ["photo.edits"],
    path: ["AlbumScreen.photo", "PhotoScreen.onSave", "closure"], also: ["PhotoScreen.bag"],
    breaks: "closure",
    .now {
      let album = AlbumScreen()
      album.open()
      PhotoEditor.edits.send("crop")
      return album
    })
}

enum PhotoEditor {
  static let edits = PassthroughSubject<String, Never>()
}

/// A screen that opens a photo, and is notified when the photo is saved.
final class AlbumScreen {
  private var photo: PhotoScreen?
  private var saved = 0

  func open() {
    let photo = PhotoScreen()
    photo.onSave = { self.saved += 1 }
    self.photo = photo
  }
}

final class PhotoScreen {
  var onSave: (() -> Void)?
  private var edits: [String] = []
  private let bag = DisposeBag()

  init() {
    PhotoEditor.edits
      .traced("photo.edits")
      .observeNext { [weak self] edit in  // observed
        self?.edits.append(edit)
        self?.onSave?()
      }
      .dispose(in: bag)
  }
}
