import ReactiveKit

extension LeakCase {
  static let routeFinder = cycle(
    "share-flat-map-latest", lanes: ["route.sheet"], upstream: ["route.found", "route.legs"],
    path: ["closure", "RouteSheet.bag"], also: ["RouteSheet.finder", "RouteFinder.routes"],
    breaks: "closure",
    .now {
      let finder = RouteFinder()
      let preview = RoutePreview()
      preview.open(finder)
      let sheet = RouteSheet(finder)
      sheet.open()
      finder.destination.send("Rome")
      RoadMap.legs.send(["A1"])
      preview.close()
      finder.destination.send("Bari")
      RoadMap.legs.send(["A14"])
      return sheet
    })
}

enum RoadMap {
  static let legs = PassthroughSubject<[String], Never>()
}

/// A finder that shares the legs of the latest destination.
final class RouteFinder {
  let destination = PassthroughSubject<String, Never>()
  let routes: Signal<[String], Never>

  init() {
    routes =
      destination
      .flatMapLatest { name in
        RoadMap.legs.map { [name] + $0 }.traced("route.legs")
      }
      .traced("route.found")
      .share(limit: 1)
  }
}

/// A preview that observes first, and leaves correctly.
final class RoutePreview {
  private var shown: [String] = []
  private let bag = DisposeBag()

  func open(_ finder: RouteFinder) {
    finder.routes
      .traced("route.preview")
      .observeNext { [weak self] in self?.shown = $0 }
      .dispose(in: bag)
  }

  func close() { bag.dispose() }
}

/// A sheet that observes with a closure that retains it.
final class RouteSheet {
  private var legs: [String] = []
  private let finder: RouteFinder
  private let bag = DisposeBag()

  init(_ finder: RouteFinder) { self.finder = finder }

  func open() {
    finder.routes
      .traced("route.sheet")
      .observeNext { self.legs = $0 }  // observed
      .dispose(in: bag)
  }
}
