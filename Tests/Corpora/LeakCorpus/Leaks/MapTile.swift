import Foundation
import ReactiveKit

extension LeakCase {
  static let mapTile = held(
    "ns-cache", lanes: ["tile.zoom"], roots: ["TileStore.cache"], path: ["MapTile.bag"],
    holder: ["MapTile.bag"], alive: true,
    .now {
      let tile = MapTile()
      tile.open()
      return tile
    })
}

enum TileStore {
  static let zoom = Property(3)
  nonisolated(unsafe) static let cache = NSCache<NSString, MapTile>()
}

/// A tile that keeps observing after it was shown, because a cache retains it.
final class MapTile {
  private var zoom = 0
  private let bag = DisposeBag()

  func open() {
    TileStore.zoom
      .traced("tile.zoom")
      .observeNext { [weak self] in self?.zoom = $0 }  // observed
      .dispose(in: bag)
    TileStore.cache.setObject(self, forKey: "3/4/5")
  }
}
