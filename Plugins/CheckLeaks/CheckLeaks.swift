import Foundation
import PackagePlugin

/// Runs the tests of a package, or one of its programs, in `trace-viewer run`.
///
/// The plugin does not depend on the viewer. A dependency would be compiled a second time, as a tool
/// of the build, also by every build of this package.
@main
struct CheckLeaks: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    do {
      let request = try Request(arguments)
      if request.wantsHelp { return print(Request.help) }
      let viewer = try executable("trace-viewer")
      let command = try command(
        for: request, of: context.package, in: viewer.deletingLastPathComponent())
      let code = try run(viewer, ["run"] + request.options + ["--"] + command)
      if code != 0 { exit(code) }
    } catch let failure as Failure {
      Diagnostics.error(failure.message)
      exit(failure.code)
    }
  }

  /// Builds what the request asks for, in a folder. Returns the command that runs it.
  private func command(for request: Request, of package: Package, in folder: URL) throws -> [String] {
    if let product = request.product {
      return [try executable(product).path] + request.productArguments
    }
    try build(.all(includingTests: true))
    let tests = folder.appending(component: "\(package.displayName)PackageTests.xctest")
    guard FileManager.default.isExecutableFile(atPath: tests.path) else {
      throw Failure(
        code: 66, "The package has no tests. To run one of its programs, use --product NAME.")
    }
    return ["sh", "-c", Self.testScript, tests.path]
  }

  /// Runs the tests as `swift test` does, which cannot run here, because a plugin runs while the
  /// build folder is locked. Code 69 says that there are no tests of Swift Testing.
  private static let testScript = """
    "$0"; xctest=$?
    "$0" --testing-library swift-testing; testing=$?
    if [ $testing = 69 ]; then testing=0; fi
    if [ $xctest != 0 ]; then exit $xctest; fi
    exit $testing
    """

  /// Builds an executable product of the package or of one of its dependencies. Returns its path.
  private func executable(_ product: String) throws -> URL {
    let artifacts = try build(.product(product)).builtArtifacts
    let found = artifacts.first { $0.kind == .executable && $0.url.lastPathComponent == product }
    guard let found else { throw Failure(code: 64, "\(product) is not an executable product.") }
    return found.url
  }

  @discardableResult
  private func build(_ subset: PackageManager.BuildSubset) throws -> PackageManager.BuildResult {
    var parameters = PackageManager.BuildParameters(configuration: .inherit)
    parameters.echoLogs = true
    let result = try packageManager.build(subset, parameters: parameters)
    if !result.succeeded { throw Failure(code: 1, "The build failed.") }
    return result
  }

  /// Runs a program to its end. Returns its exit code.
  private func run(_ program: URL, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    // This is where SwiftPM and the plugin talk.
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let status = process.terminationStatus
    return process.terminationReason == .uncaughtSignal ? 128 + status : status
  }
}
