import Foundation

/// The figures of a run, as one JSON object in each line.
struct Figures {
  var measurements: [Measurement] = []
  var memory: [MemoryUse] = []
  var versions: [LibraryVersion] = []

  init() {}

  /// Reads the lines of several runs. Throws an error with the line that isn't a figure.
  init(lines: [Substring]) throws {
    let decoder = JSONDecoder()
    for line in lines {
      let data = Data(line.utf8)
      if let measurement = try? decoder.decode(Measurement.self, from: data) {
        measurements.append(measurement)
      } else if let use = try? decoder.decode(MemoryUse.self, from: data) {
        memory.append(use)
      } else if let version = try? decoder.decode(LibraryVersion.self, from: data) {
        versions.append(version)
      } else {
        throw UnknownFigure(line: String(line))
      }
    }
  }

  func printLines() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for measurement in measurements {
      print(String(decoding: try encoder.encode(measurement), as: UTF8.self))
    }
    for use in memory { print(String(decoding: try encoder.encode(use), as: UTF8.self)) }
  }
}

/// The version of a library, as its package or its checkout names it.
struct LibraryVersion: Codable {
  let contestant: Contestant
  let version: String
}

struct UnknownFigure: Error {
  let line: String
}
