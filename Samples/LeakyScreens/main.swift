// Visits twelve screens, each with a common mistake that leaks a subscription. Prints the leaks.
//
// Each screen is a file in Screens, with the mistake and its cure. Run it with
// REACTIVE_TRACE=trace.jsonl to also get the findings in a log.

import Foundation
import ReactiveTrace

let arguments: Arguments
do {
  arguments = try Arguments(CommandLine.arguments.dropFirst())
} catch {
  FileHandle.standardError.write(Data("Error: \(error)\n\n\(Arguments.usage)\n".utf8))
  exit(64)
}
if arguments.wantsHelp {
  print(Arguments.usage)
  exit(0)
}

// A cured screen ends its subscriptions immediately, but canceling a Task may take a moment.
let found = await leaks(
  of: arguments.lessons.map { arguments.areCured ? $0.cured : $0.leaky },
  grace: arguments.areCured ? .seconds(5) : .zero)
var reports: [String] = []
var areAsExpected = true
for lesson in arguments.lessons {
  let leaks = found.filter { $0.lane == lesson.lane }
  reports.append(lesson.report(leaks, cured: arguments.areCured))
  if leaks.isEmpty != arguments.areCured { areAsExpected = false }
}
print(reports.joined(separator: "\n\n"))
exit(areAsExpected ? 0 : 1)
