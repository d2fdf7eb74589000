import Foundation

/// Builds this program once more with `-cross-module-optimization`, runs OpenCombine's part of it,
/// and returns the figures.
func measureOptimizedPeer(_ options: Options) -> [Measurement] {
  let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
  let common = [
    "swift", "run", "-c", "release", "--package-path", package, "--scratch-path",
    package + "/.build-cmo", "-Xswiftc", "-cross-module-optimization",
  ]
  let note = "building OpenCombine with -cross-module-optimization (--skip-cmo leaves that out)\n"
  FileHandle.standardError.write(Data(note.utf8))
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments =
    common + ["Benchmarks", "--json", "--peer-only", "--samples", "\(options.samples)"]
    + (options.filter.isEmpty ? [] : ["--row", options.filter])
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  do {
    try process.run()
  } catch {
    FileHandle.standardError.write(Data("cannot run swift: \(error)\n".utf8))
    return []
  }
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    FileHandle.standardError.write(Data("the optimized build failed; its column is empty\n".utf8))
    return []
  }
  return output.split(separator: UInt8(ascii: "\n")).compactMap { line in
    guard let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
      let row = object["row"] as? String, let nanoseconds = object["ns"] as? Double
    else { return nil }
    return Measurement(
      row: row, contestant: .openCombine, nanoseconds: nanoseconds, allocations: nil)
  }
}

func json(_ measurement: Measurement) -> String {
  let allocations = measurement.allocations.map { ",\"allocations\":\($0)" } ?? ""
  return """
    {"row":"\(measurement.row)","contestant":"\(measurement.contestant.rawValue)",\
    "ns":\(measurement.nanoseconds)\(allocations)}
    """
}
