import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Who waits for whom in a log")
struct WaitGraphTests {
  private func graph(_ waits: [(Int, [Int])]) throws -> WaitGraph {
    let lines = waits.flatMap { id, others -> [String] in
      let awaits = others.map { #"{"sub":\#($0)}"# }.joined(separator: ",")
      let wait = #","wait":"task","awaits":[\#(awaits)]"#
      return [
        #"{"t":1,"event":"subscribe","sub":\#(id),"lane":"a","op":"task"}"#,
        #"{"t":2,"event":"suspended","sub":\#(id),"lane":"a"\#(others.isEmpty ? "" : wait)}"#,
      ]
    }
    let log = try LogAnalysis.read(
      LogSource(name: "a.jsonl", bytes: Array(SampleLog.make(lines).utf8)))
    return WaitGraph(log)
  }

  @Test("A chain begins with the task that nobody waits for")
  func chain() throws {
    let graph = try graph([(3, []), (2, [3]), (1, [2])])
    #expect(graph.tasks == [0, 1, 2])
    #expect(graph.roots == [2])
    #expect(graph.waits(of: 2) == [1])
    #expect(graph.waits(of: 0) == [])
    #expect(graph.waiters(of: 0) == [1])
    #expect(graph.waiters(of: 2) == [])
  }

  @Test("A circle has a root, and a task that waits for itself too")
  func circle() throws {
    #expect(try graph([(1, [2]), (2, [1]), (3, [1])]).roots == [2])
    #expect(try graph([(1, [2]), (2, [1])]).roots == [0])
    #expect(try graph([(1, [1])]).roots == [0])
  }

  @Test("A task that waits for its group waits for the tasks that it made, unless they are listed")
  func group() throws {
    func graph(_ wait: String) throws -> WaitGraph {
      let lines = [
        #"{"t":1,"event":"subscribe","sub":1,"lane":"a","op":"task"}"#,
        #"{"t":1,"event":"subscribe","sub":2,"lane":"b","op":"task","parent":1}"#,
        #"{"t":1,"event":"subscribe","sub":3,"lane":"b","op":"task","parent":1}"#,
        #"{"t":1,"event":"subscribe","sub":4,"lane":"b","op":"task","parent":1}"#,
        #"{"t":2,"event":"completed","sub":4,"lane":"b"}"#,
        #"{"t":2,"event":"suspended","sub":1,"lane":"a","wait":\#(wait)}"#,
      ]
      return WaitGraph(
        try LogAnalysis.read(
          LogSource(name: "a.jsonl", bytes: Array(SampleLog.make(lines).utf8))))
    }
    #expect(try graph(#""group""#).waits(of: 0) == [1, 2])
    #expect(try graph(#""group","awaits":[{"sub":3}]"#).waits(of: 0) == [2])
    #expect(try graph(#""group","awaits":[{"sub":4}]"#).waits(of: 0) == [])
    #expect(try graph(#""task""#).waits(of: 0) == [])
  }

  @Test("Tasks that aren't in the log, that have ended, or that occur twice don't count")
  func others() throws {
    let graph = try graph([(1, [99, 2, 2]), (2, [])])
    #expect(graph.waits(of: 0) == [1])
    #expect(graph.waiters(of: 1) == [0])
    let log = try LogAnalysis.read(
      LogSource(
        name: "a.jsonl",
        bytes: Array(
          SampleLog.make([
            #"{"t":1,"event":"suspended","sub":1,"wait":"task","awaits":[{"sub":2}]}"#,
            #"{"t":1,"event":"completed","sub":2}"#,
          ]).utf8)))
    #expect(WaitGraph(log).waits(of: 0) == [])
    #expect(WaitGraph(LogAnalysis.empty).roots == [])
  }
}
