@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerBase
@testable import ViewerCommandLine

/// What a command line without any existing file comes to.
func parse(_ arguments: String..., existing: [String] = []) throws -> ParsedArguments {
  try ArgumentParser.parse(arguments) { existing.contains($0) }
}

/// What is wrong with a command line; `nil` if nothing is.
func usageError(_ arguments: String..., existing: [String] = []) -> UsageError? {
  do throws(UsageError) {
    _ = try ArgumentParser.parse(arguments) { existing.contains($0) }
    return nil
  } catch {
    return error
  }
}

/// The same for a line whose words stand between spaces.
func usageError(line: String) -> UsageError? {
  do throws(UsageError) {
    _ = try ArgumentParser.parse(line.split(separator: " ").map(String.init)) { _ in false }
    return nil
  } catch {
    return error
  }
}
