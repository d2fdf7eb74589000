// A search box without a window: it shows the results for the text that was typed last.
//
// The pipelines are in SearchScreen.swift, and the search is in SourceIndex.swift. Run it with
// REACTIVE_TRACE=trace.jsonl to record what every subscription does.

import Dispatch
import Foundation
import ReactiveKit

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

let index: SourceIndex
do {
  index = try SourceIndex(folder: arguments.folder)
} catch {
  FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
  exit(66)
}

let app = App(index: index, typing: Typing(arguments), leaks: arguments.leaks)
app.start(whenDone: { exit(0) })
dispatchMain()
