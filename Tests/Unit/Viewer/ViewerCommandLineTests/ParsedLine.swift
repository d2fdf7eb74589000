@testable import ViewerCommandLine
@testable import ViewerConsole

/// Parses a command line. Only the files in `existing` exist.
func parse(_ arguments: String..., existing: [String] = []) throws -> ParsedArguments {
  try ArgumentParser.parse(arguments) { existing.contains($0) }
}

/// Returns the error of a command line, or `nil` if the command line is valid.
func usageError(_ arguments: String..., existing: [String] = []) -> UsageError? {
  do throws(UsageError) {
    _ = try ArgumentParser.parse(arguments) { existing.contains($0) }
    return nil
  } catch {
    return error
  }
}

/// Returns the error of a command line whose words are separated by spaces.
func usageError(line: String) -> UsageError? {
  do throws(UsageError) {
    _ = try ArgumentParser.parse(line.split(separator: " ").map(String.init)) { _ in false }
    return nil
  } catch {
    return error
  }
}
