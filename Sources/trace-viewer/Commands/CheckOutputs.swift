import SystemLibrary
import TerminalUI
import TraceReports
import ViewerCommandLine
import ViewerConsole

/// The destinations of a check result: standard output, files, and the annotations and job summary
/// of GitHub.
struct CheckOutputs {
  private struct File {
    let format: CheckFormat
    let path: String
  }

  /// The format for standard output, or `nil` if a file is `-`.
  private let format: CheckFormat?
  private let files: [File]
  private let isInGitHub: Bool
  private let brief: BriefLimits?

  /// Creates the outputs.
  ///
  /// - Throws: `UsageError` if an output would overwrite an input.
  ///
  /// - Parameter inputs: The files that no output may overwrite, besides the baseline and the
  ///   settings.
  init(
    _ console: Console, inputs: [String], baseline: String?, settings: String?
  ) throws(UsageError) {
    let arguments = console.arguments
    isInGitHub = console.environment["GITHUB_ACTIONS"] == "true"
    files = arguments.formatsAndFiles.compactMap { format, path in
      CheckFormat(rawValue: format).map { File(format: $0, path: path) }
    }
    let named = arguments.choice(.format, CheckFormat.self)
    format = named ?? (files.contains { $0.path == "-" } ? nil : .text)
    brief = try CheckOutputs.brief(
      arguments, formats: [format].compactMap(\.self) + files.map(\.format))
    for path in files.map(\.path) + (format == nil ? [] : ["-"]) {
      let inputs = inputs + [baseline, settings].compactMap(\.self)
      if let input = inputs.first(where: { OutputFile.isSame(path, as: $0) }) {
        throw UsageError(
          .wrongValue, arguments.command,
          "The report would overwrite '\(input)', which is an input. Choose another file.")
      }
      if let baseline, OutputFile.isSameName(path, as: baseline) {
        throw UsageError(
          .wrongValue, arguments.command,
          "The report would overwrite the baseline '\(baseline)'. Choose another file.")
      }
    }
  }

  private static func brief(
    _ arguments: ParsedArguments, formats: [CheckFormat]
  ) throws(UsageError) -> BriefLimits? {
    guard let tokens = arguments.count(.budget) else {
      guard !arguments.has(.values) else {
        throw UsageError(
          .missingOption, arguments.command, "'--values' needs '--budget=TOKENS' and '-f json'.")
      }
      return nil
    }
    guard formats.contains(.json) else {
      throw UsageError(.missingOption, arguments.command, "'--budget' needs '-f json'.")
    }
    return BriefLimits(tokens: tokens, fence: arguments.has(.values) ? ValueFence() : nil)
  }

  /// A Boolean value that indicates whether a person reads the findings on standard output.
  var isText: Bool { format == .text }

  /// A Boolean value that indicates whether standard output is meant for another program, which
  /// expects nothing else there.
  var isForProgram: Bool {
    let formats = [format].compactMap(\.self) + files.filter { $0.path == "-" }.map(\.format)
    return formats.contains { $0 != .text && $0 != .github }
  }

  /// Writes the result to all outputs.
  ///
  /// - Returns: The exit code if a file can't be written; otherwise `nil`.
  func write(_ result: CheckResult, _ console: Console) -> ExitCode? {
    let page = console.page
    var failure: ExitCode?
    if format == .text {
      writeText(result, console)
    } else if let format {
      console.out.output.write(format.text(result, page, brief: brief))
    }
    for file in files {
      let code = OutputFile.write(
        file.format.text(result, page, brief: brief), to: file.path, console)
      failure = failure ?? code
    }
    if isInGitHub { reportToGitHub(result, console) }
    return failure
  }

  private func writeText(_ result: CheckResult, _ console: Console) {
    let page = console.page
    let view = CheckView(result)
    guard result.hasFindings else { return console.write(view.lines(page)) }
    // The output of a command comes before that of its check.
    if console.arguments.command == .run { console.write([Line()]) }
    guard isInGitHub else { return console.write(view.lines(page)) }
    // GitHub folds a group of lines, and shows the findings as annotations.
    console.out.output.write("::group::FINDINGS\n")
    console.write(view.findings(page))
    console.out.output.write("::endgroup::\n")
    console.write(view.verdict(page))
  }

  /// Writes annotations and the job summary for GitHub. Annotations accompany only the text format,
  /// because another program reads the other formats.
  private func reportToGitHub(_ result: CheckResult, _ console: Console) {
    if format == .text { console.out.output.write(CheckGitHub.text(result)) }
    if let path = console.environment["GITHUB_STEP_SUMMARY"] {
      JobSummary.append(CheckMarkdown.text(result), to: path, console)
    }
  }
}

/// The summary that GitHub shows for a step: Markdown at the end of a file that GitHub names.
enum JobSummary {
  /// The maximum size in bytes of a step summary. GitHub does not show a longer one.
  static let maxBytes = 1 << 20

  /// Appends to the summary. If the summary can't be written, the function prints a warning and
  /// the command does not fail.
  static func append(_ markdown: String, to path: String, _ console: Console) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { return warn(path, reason(errno), console) }
    defer { close(descriptor) }
    var status = stat()
    let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    guard size + markdown.utf8.count <= maxBytes else {
      return warn(path, "it would exceed \(maxBytes >> 20) MiB", console)
    }
    let output = Output(descriptor: descriptor)
    output.write(markdown)
    output.flush()
    if let failure = output.failure { warn(path, reason(failure), console) }
  }

  private static func reason(_ error: Int32) -> String {
    String(cString: strerror(error))
  }

  private static func warn(_ path: String, _ reason: String, _ console: Console) {
    console.writeError("Warning", "\(path): The job summary cannot be written: \(reason).")
  }
}
