import TerminalUI
import TraceAnalysis

/// Where a check tells what it came to: standard output, files, and what GitHub shows of a job.
struct CheckOutputs {
  private struct File {
    let format: CheckFormat
    let path: String
  }

  /// What standard output gets; nil where a file is `-`.
  private let format: CheckFormat?
  private let files: [File]
  private let isInGitHub: Bool

  /// - Throws: where an output would destroy what is read.
  init(_ console: Console, baseline: String?, settings: String?) throws(UsageError) {
    let arguments = console.arguments
    isInGitHub = console.environment["GITHUB_ACTIONS"] == "true"
    files = arguments.formatsAndFiles.compactMap { format, path in
      CheckFormat(rawValue: format).map { File(format: $0, path: path) }
    }
    let named = arguments[.format].flatMap { CheckFormat(rawValue: $0) }
    format = named ?? (files.contains { $0.path == "-" } ? nil : .text)
    for path in files.map(\.path) + (format == nil ? [] : ["-"]) {
      let inputs = arguments.operands + [baseline, settings].compactMap(\.self)
      if let input = inputs.first(where: { OutputFile.isSame(path, as: $0) }) {
        throw UsageError(
          .wrongValue, arguments.command,
          "The report would write over '\(input)', which is read. Name another file.")
      }
      if let baseline, OutputFile.isSameName(path, as: baseline) {
        throw UsageError(
          .wrongValue, arguments.command,
          "The report would write over the baseline '\(baseline)'. Name another file.")
      }
    }
  }

  /// Whether anything of it is shown beside the sources, which have to be looked for then.
  var namesPlaces: Bool {
    isInGitHub || ([format].compactMap(\.self) + files.map(\.format)).contains { $0 != .text }
  }

  /// - Returns: what to exit with where a file cannot be written; nil where all is well.
  func write(_ result: CheckResult, _ console: Console) -> ExitCode? {
    let page = console.page
    var failure: ExitCode?
    if format == .text {
      console.write(CheckView(result).lines(page))
    } else if let format {
      console.out.output.write(format.text(result, page))
    }
    for file in files {
      let code = OutputFile.write(file.format.text(result, page), to: file.path, console)
      failure = failure ?? code
    }
    if isInGitHub { tellGitHub(result, console) }
    return failure
  }

  /// Annotations stand beside the text only: another program reads what any other format writes.
  private func tellGitHub(_ result: CheckResult, _ console: Console) {
    if format == .text { console.out.output.write(CheckGitHub.text(result)) }
    if let path = console.environment["GITHUB_STEP_SUMMARY"] {
      JobSummary.append(CheckMarkdown.text(result), to: path, console)
    }
  }
}
