import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Jumping")
struct UpdateJumpingTests {
  private let ms = UInt64(StageLogs.ms)

  @Test("After a jump to a failure, the status names its error")
  func error() throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "e")
    #expect(stage.timeline.event?.kind == .failed)
    #expect(stage.footer.contains("failed  Timeout()"), "\(stage.footer)")
  }

  @Test("The event keys visit every event of a row in both directions, even simultaneous ones")
  func events() throws {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "a", at: 100), SampleLog.next(1, "a", at: 200, "first"),
      SampleLog.next(1, "a", at: 200, "second"), SampleLog.next(1, "a", at: 200, "third"),
      SampleLog.end("completed", 1, "a", at: 300),
    ])
    var stage = try ViewerStage(log)
    var seen: [String] = []
    for _ in 0..<5 {
      stage.type(".")
      seen.append(stage.timeline.event?.text ?? stage.timeline.event?.kind.rawValue ?? "none")
    }
    #expect(seen == ["subscribe", "first", "second", "third", "completed"])
    stage.type(".")
    #expect(stage.footer == "no later event")
    var back: [String] = []
    for _ in 0..<4 {
      stage.type(",")
      back.append(stage.timeline.event?.text ?? stage.timeline.event?.kind.rawValue ?? "none")
    }
    #expect(back == ["third", "second", "first", "subscribe"])
    stage.type(",")
    #expect(stage.footer == "no earlier event")
  }

  @Test("The event keys visit all nested events of a folded lane")
  func foldedRow() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "jj<Enter>")
    #expect(stage.timeline.list.folded == [["results", "request"]])
    var kinds: [String] = []
    for _ in 0..<4 {
      stage.type(".")
      kinds.append(
        "\(stage.timeline.chosen ?? -1) \(stage.timeline.event?.kind.rawValue ?? "none")")
    }
    #expect(kinds == ["2 subscribe", "2 next", "3 subscribe", "3 failed"])
  }

  @Test("The origin keys go to causes and parents, or report that they are missing")
  func origins() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "jjG]")
    #expect(stage.viewer.chosenLane == "results")
    #expect(stage.footer == "#4 was made for #2")
    stage.type("]")
    #expect(stage.footer == "#2 was not made for another subscription")
    stage.type("[")
    #expect(stage.footer == "#2 was not made by an event")
    stage.type("jG[")
    #expect(stage.viewer.chosenLane == "query")
    #expect(stage.footer == "#4 was made by an event of #1")
  }

  @Test("An origin that is filtered out is reported as hidden", arguments: ["[", "]"])
  func filteredOrigins(key: String) throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "&lane:request<Enter>")
    stage.type(key)
    #expect(stage.viewer.chosenLane == "request")
    #expect(stage.footer.contains("hidden by the filter"))
  }

  @Test("The failure keys visit failures in both directions and report the ends")
  func failures() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "e")
    #expect(stage.timeline.chosen == 2)
    #expect(stage.timeline.cursor.count == 400 * ms)
    stage.type("e")
    #expect(stage.timeline.chosen == 3)
    #expect(stage.timeline.cursor.count == 600 * ms)
    stage.type("e")
    #expect(stage.footer == "no later failure")
    stage.type("E")
    #expect(stage.timeline.chosen == 2)
    stage.type("E")
    #expect(stage.footer == "no earlier failure")
  }

  @Test("Simultaneous failures are visited separately")
  func failuresOfOneTime() throws {
    let log = SampleLog.make(
      (1...3).map { SampleLog.subscribe($0, "a", at: $0) }
        + (1...3).map { SampleLog.end("failed", $0, "a", at: 500) })
    var stage = try ViewerStage(log)
    var seen: [Int?] = []
    for key in ["e", "e", "e", "E", "E"] {
      stage.type(key)
      seen.append(stage.timeline.chosen)
    }
    #expect(seen == [0, 1, 2, 1, 0])
  }

  @Test("Failures that are filtered out aren't visited")
  func filteredFailures() throws {
    let stage = try ViewerStage(StageLogs.origins, typing: "&lane:query<Enter>e")
    #expect(stage.footer == "no later failure in what the filter shows")
  }

  @Test("The finding key cycles through the findings and unfolds their lanes")
  func findings() throws {
    var stage = try ViewerStage(CauseLogs.leak)
    let groups = stage.viewer.viewed.groups
    try #require(groups.count > 1)
    stage.type("z")
    for number in groups.indices {
      stage.type("!")
      let subscription = groups[number].findings[0].lifecycle
      #expect(stage.timeline.chosen == subscription)
      #expect(stage.viewer.panes[FindingsPane.self].rows.selected?.finding == number)
      #expect((stage.timeline.rowMembers ?? []).contains(subscription))
    }
    stage.type("!")
    #expect(stage.timeline.chosen == groups[0].findings[0].lifecycle)
  }

  @Test("The finding key reports that a clean log has no findings")
  func noFindings() throws {
    var stage = try ViewerStage(SampleLog.clean, typing: "!")
    #expect(stage.footer == "no findings")
    stage = try ViewerStage(SampleLog.leak)
    stage.type("&lane:settings<Enter>!")
    #expect(stage.footer == "no findings match the filter")
  }
}
