@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceReports
@testable import ViewerConsole

/// Writes a report of a log in memory.
func writeReport(
  _ format: ReportFormat, of log: String, lanes: [String] = [], times: TimeRange = .always,
  _ options: ReportOptions = ReportOptions(), columns: Int? = nil, isASCII: Bool = false
) throws -> Written {
  let environment = isASCII ? [:] : ["LANG": "C.UTF-8"]
  let console = Console.inMemory(columns: columns, environment: environment)
  let file = LogSource(name: "run.jsonl", bytes: Array(log.utf8))
  let analysis = try LogAnalysis.read(file)
  var filter = LogFilter(lanes: lanes)
  filter.times = times
  let failure = try format.write(
    try filter.excerpt(of: analysis), Verdict(analysis), options, to: "-", console)
  return Written(failure ?? .clean, console)
}
