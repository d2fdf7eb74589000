import TerminalUI
package import TraceWords
package import ViewerConsole

extension DiffFormat {
  package func write(_ diff: LogDiff, _ console: Console) {
    switch self {
    case .text: console.write(DiffView(diff: diff).lines(console.page))
    case .json: console.out.output.write(DiffJSON(diff: diff).text)
    case .markdown: console.out.output.write(DiffMarkdown(diff: diff).text)
    }
  }
}
