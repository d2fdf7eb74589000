import Foundation

/// A program that writes records with other libraries: Peers/Recorders/writers.cpp.
struct OtherWriterProgram {
  /// The path of the program.
  let program: String

  /// The ways that the program has. Stops this program if it can't run.
  var ways: [TracingWay] {
    output([]).split(separator: "\n").map { name in
      TracingWay(
        name: String(name), kind: .alternative, make: { _ in { _ in { _ in } } },
        measure: { path, threads, count in
          let arguments = [String(name), String(threads), String(count), path]
          guard let time = Double(output(arguments).trimmingCharacters(in: .newlines)) else {
            fail("\(program) did not print a time for \(name)")
          }
          return time
        })
    }
  }

  private func output(_ arguments: [String]) -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    // The libraries write notes about their buffers there.
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      fail("cannot run \(program): \(error)")
    }
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      fail("'\(program) \(arguments.joined(separator: " "))' failed")
    }
    return output
  }
}
