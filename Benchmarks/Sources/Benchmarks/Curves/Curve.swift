import Foundation

/// How a cost grows, for several contestants.
struct Curve: Codable {
  /// The name of the picture's file, without an extension.
  let name: String
  let title: String
  let x: String
  let y: String
  var series: [Series]

  struct Series: Codable {
    let name: String
    var points: [Point] = []
  }

  struct Point: Codable {
    let x: Int
    /// Nanoseconds for each operation, as the median of the samples.
    let y: Double
  }

  static let all: [(name: String, measure: (Options) -> Curve)] = [
    ("subscriptions", subscriptions), ("threads", threads), ("lanes", lanes), ("values", values),
  ]

  /// Measures the curves whose names contain the filter, and prints one JSON object in each line.
  static func printAll(_ options: Options) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for (name, measure) in all where options.filter.isEmpty || name.contains(options.filter) {
      print(String(decoding: try encoder.encode(measure(options)), as: UTF8.self))
    }
  }

  /// A contestant of a curve, and the time of an operation in one sample at one place of the axis.
  typealias Contender = (name: String, nanoseconds: (_ x: Int) -> Double)

  /// Measures the contestants in turns, sample by sample, so that noise affects all alike.
  init(
    _ name: String, _ title: String, x: String, y: String, at places: [Int], _ options: Options,
    _ contenders: [Contender]
  ) {
    (self.name, self.title, self.x, self.y) = (name, title, x, y)
    series = contenders.map { Series(name: $0.name) }
    // The first sample takes pages that this process, or this virtual machine, never had before.
    if let first = places.first {
      for contender in contenders { _ = contender.nanoseconds(first) }
    }
    for place in places {
      FileHandle.standardError.write(Data("\(title): \(place)\n".utf8))
      var samples = contenders.map { _ in [Double]() }
      for _ in 0..<options.samples {
        for (index, contender) in contenders.enumerated() {
          samples[index].append(contender.nanoseconds(place))
        }
      }
      for index in series.indices {
        series[index].points.append(Point(x: place, y: median(samples[index]) ?? 0))
      }
    }
  }
}
