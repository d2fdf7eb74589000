import Foundation

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  let isHelp = error.text == Options.help
  (isHelp ? FileHandle.standardOutput : .standardError).write(Data((error.text + "\n").utf8))
  exit(isHelp ? 0 : 64)
}

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data((text + "\n").utf8))
  exit(64)
}

if options.measuresTracing {
  TracingReport(options).print()
  exit(0)
}

if options.measuresCurves {
  try Curve.printAll(options)
  exit(0)
}

let rows = allRows.filter { options.filter.isEmpty || $0.name.rawValue.contains(options.filter) }
guard !rows.isEmpty else { fail("no row has \"\(options.filter)\" in its name") }

var figures = Figures()
if options.readsFigures {
  let lines = String(
    decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self
  ).split(separator: "\n")
  do {
    figures = try Figures(lines: lines)
  } catch {
    fail("a line of the standard input isn't a figure of this program: \(error)")
  }
} else {
  for row in rows {
    if !options.printsJSON { FileHandle.standardError.write(Data("\(row.name.rawValue)\n".utf8)) }
    figures.measurements += measure(
      row.name,
      Contestant.allCases.compactMap { contestant in
        guard options.contestants.contains(contestant) else { return nil }
        return row.contestants[contestant].map { (contestant, $0) }
      }, samples: options.samples)
  }
  if options.filter.isEmpty || !options.printsJSON {
    figures.memory = measureMemory(options.contestants)
  }
}

for row in rows {
  let measured = figures.measurements.filter { $0.row == row.name }
  if let first = measured.first, let other = measured.first(where: { $0.sum != first.sum }) {
    fail(
      "\(row.name.rawValue): the observers of \(other.contestant.name) added \(other.sum), and "
        + "those of \(first.contestant.name) \(first.sum). So the work isn't the same.")
  }
}

if options.printsJSON {
  try figures.printLines()
} else {
  let report = Report(rows: rows, figures: figures, comparesAll: options.readsFigures)
  if options.printsMarkdown {
    print("# Results of one run\n\n\(describeMachine()). \(report.comparison)\n")
    print(markdown(report.table), "\n\n" + Report.legend)
    if !report.shortfalls.isEmpty {
      print("\nWhy rows miss goals:\n")
      for line in report.shortfalls { print("- \(line)") }
    }
    if !report.memoryLines.isEmpty {
      print("\nHeap of one live subject -> map -> filter -> observer:\n")
      for line in report.memoryLines { print("- \(line)") }
    }
  } else {
    print(aligned(report.table), "\n\n" + Report.legend)
    print("\n" + report.comparison)
    for line in report.shortfalls { print("\nmissed: \(line)") }
    if !report.memoryLines.isEmpty {
      print("\nHeap of one live subject -> map -> filter -> observer")
      for line in report.memoryLines { print("  \(line)") }
    }
  }
}
