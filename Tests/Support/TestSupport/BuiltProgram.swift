import Foundation

/// The programs that are built with the tests.
package enum BuiltProgram {
  /// Returns the path of a program, in any build folder.
  package static func path(of program: String) -> String {
    let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent(program)
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate.path }
      folder.deleteLastPathComponent()
    }
    return program
  }
}
