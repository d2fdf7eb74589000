import Foundation

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  let isHelp = error.text == Options.help
  (isHelp ? FileHandle.standardOutput : .standardError).write(Data((error.text + "\n").utf8))
  exit(isHelp ? 0 : 64)
}

if options.measuresTracing {
  TracingReport(options).print()
  exit(0)
}

let rows = allRows.filter { options.filter.isEmpty || $0.name.contains(options.filter) }
guard !rows.isEmpty else {
  FileHandle.standardError.write(Data("no row has \"\(options.filter)\" in its name\n".utf8))
  exit(64)
}
var measurements: [Measurement] = []
for row in rows {
  if !options.printsJSON { FileHandle.standardError.write(Data("\(row.name)\n".utf8)) }
  measurements += measure(row, options)
}

if options.printsJSON {
  for measurement in measurements { print(json(measurement)) }
} else {
  let report = Report(
    rows: rows, measurements: measurements,
    optimizedPeer: options.skipsOptimizedPeer ? [] : measureOptimizedPeer(options),
    memory: measureMemory(options))
  if options.printsMarkdown {
    print("# Results of one run\n\n\(describeMachine()). \(options.samples) samples.\n")
    print(markdown(report.table), "\n\n" + Report.legend)
    print("\n\(report.scaleLine)")
    if !report.shortfalls.isEmpty {
      print("\nWhy rows miss goals:\n")
      for line in report.shortfalls { print("- \(line)") }
    }
    print("\nHeap of one live subject -> map -> filter -> observer:\n")
    for line in report.memoryLines { print("- \(line)") }
  } else {
    print(aligned(report.table), "\n\n" + Report.legend)
    print(report.scaleLine)
    for line in report.shortfalls { print("\nmissed: \(line)") }
    print("\nHeap of one live subject -> map -> filter -> observer")
    for line in report.memoryLines { print("  \(line)") }
  }
}
