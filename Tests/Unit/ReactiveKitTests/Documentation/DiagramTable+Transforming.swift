import ReactiveKit
import TestSupport

extension DiagramTable {
  static var transforming: [String: Play] {
    [
      "map { $0 * 2 }": { $0["source"].ints.map { $0 * 2 } },
      "map { try number($0) }": {
        $0["source"].mapError { $0 as any Error }.map { text -> Int in
          guard let number = Int(text) else { throw TestError() }
          return number
        }
      },
      "replaceElements(with: 0)": { $0["source"].replaceElements(with: 0) },
      "scan(0, +)": { $0["source"].ints.scan(0, +) },
      "reduce(0, +)": { $0["source"].ints.reduce(0, +) },
      "collect()": { $0["source"].collect().map { $0.joined() } },
      "buffer(size: 2)": { $0["source"].buffer(size: 2).map { $0.joined() } },
      "pairwise()": { $0["source"].pairwise().map { "\($0),\($1)" } },
      "zipPrevious()": { $0["source"].zipPrevious().map { "\($0 ?? "nil"),\($1)" } },
      "flattenElements()": { $0["source"].map { Array($0) }.flattenElements() },
      "flatMap { [$0, $0] }": { $0["source"].flatMap { [$0, $0] } },
      "ignoreNils()": { $0.optionals.ignoreNils() },
      "replaceNils(with: 0)": { $0.optionals.replaceNils(with: 0) },
      "mapWrapped { $0 * 2 }": {
        $0.optionals.mapWrapped { $0 * 2 }.map { $0.map(String.init) ?? "n" }
      },
      "replaceEmpty(with: 1)": { $0["source"].replaceEmpty(with: "1") },
    ]
  }
}

extension DiagramStage {
  /// The numbers of the source, with nil for `n`.
  fileprivate var optionals: Signal<Int?, TestError> {
    self["source"].map { Int($0) }
  }
}
