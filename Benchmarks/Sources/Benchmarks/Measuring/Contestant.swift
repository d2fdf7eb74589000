/// A contestant, which does the work of a row.
enum Contestant: String, CaseIterable, Codable {
  case closures, mutex, ours, openCombine, reactiveKit, rxSwift, reactiveSwift

  /// The libraries that ours is compared with.
  static let peers: [Contestant] = [.openCombine, .reactiveKit, .rxSwift, .reactiveSwift]

  var name: String {
    switch self {
    case .closures: "closures"
    case .mutex: "+ mutex"
    case .ours: "ours"
    case .openCombine: "OpenCombine"
    case .reactiveKit: "ReactiveKit 3"
    case .rxSwift: "RxSwift"
    case .reactiveSwift: "ReactiveSwift"
    }
  }
}
