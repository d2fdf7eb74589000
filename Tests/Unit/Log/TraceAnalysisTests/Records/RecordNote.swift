import TraceFormat

@testable import TraceAnalysis

/// Returns the facts of a record as a short string.
func note(_ record: TraceRecord) -> String {
  "\(record.time.count) \(word(record.body))"
}

private func word(_ body: TraceRecord.Body) -> String {
  switch body {
  case .trace(let header): "trace \(header.process ?? "nil") \(header.pid ?? 0)"
  case .thread(let number, let name): "thread \(number) \(name?.string ?? "nil")"
  case .subscribe(let line):
    "subscribe \(line.id) \(line.lane?.string ?? "nil") \(line.parent?.description ?? "-")"
  case .alive(let line): "alive \(line.id) \(line.lane?.string ?? "nil")"
  case .place(let lane, let source, let function, _):
    "place \(lane.string) \(source?.string ?? "nil") \(function?.string ?? "nil")"
  case .retained(let line):
    "retained \(line.id) \(line.retention.kind) \(line.retention.steps.map(RetentionWords.name))"
  case .changed(let line):
    "changed \(line.id) \(line.parent?.description ?? "-") \(line.isShared)"
  case .task(let line):
    "task \(line.beginning.id) \(line.facts.number) \(line.facts.reach?.rawValue ?? "-")"
  case .suspended(let line):
    "suspended \(line.id) \(line.wait?.rawValue ?? "-") \(line.awaited)"
  case .resumed(let id, _): "resumed \(id)"
  case .continued(let records, let lost): "continued \(records ?? 0) \(lost)"
  case .next(let line): "next \(line.id) \(line.text?.string ?? "nil")"
  case .completed(let line): "completed \(line.id)"
  case .failed(let line): "failed \(line.id) \(line.text?.string ?? "nil")"
  case .disposed(let line): "disposed \(line.id)"
  case .released(let line): "released \(line.id)"
  case .breakpoint(let line): "breakpoint \(line.id)"
  case .mark(let name): "mark \(name?.string ?? "nil")"
  case .scopeBegin(let line):
    "scope-begin \(line.number) \(line.name?.string ?? "nil")"
      + (line.kind.map { " \($0.rawValue) \(line.source?.string ?? "nil")" } ?? "")
  case .scopeEnd(let number, let name): "scope-end \(number)" + (name.map { " \($0.string)" } ?? "")
  case .lost(let count, let reason): "lost \(count) \(reason?.string ?? "nil")"
  case .object(let line):
    "object \(line.beginning.id) \(line.facts.count) \(line.facts.objectCount) \(line.facts.bytes)"
  case .instances(let scope, let classes):
    "instances \(scope ?? 0) \(classes.map { "\($0.name) \($0.count)" })"
  case .process(let process): "process \(process)"
  case .stack(let stack): "stack \(stack)"
  case .hang(let hang): "hang \(hang)"
  case .end(let records, let lost, _, _): "end \(records ?? 0) \(lost)"
  case .unknown: "unknown"
  }
}
