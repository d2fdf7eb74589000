/// The other libraries of streams that lanes support, with our adapters. Their objects only connect
/// those of the user.
package enum StreamModules {
  package static let names: Set<String> = [
    "AsyncAlgorithms", "Combine", "OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation",
    "ReactiveSwift", "RxRelay", "RxSwift", "TracedObservation", "TracedOpenCombine",
    "TracedReactiveSwift", "TracedRxSwift",
  ]

  /// The ends of the paths of their folders.
  static let folders = names.sorted().map { "Sources/\($0)/" }
}
