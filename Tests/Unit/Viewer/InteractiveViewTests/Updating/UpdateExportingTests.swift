import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("Copying, exporting and leaving")
struct UpdateExportingTests {
  @Test(
    "The copy key copies the selected line",
    arguments: [
      ("jj", "#2 request  active for 800 ms  1 element  App/Model.swift:57"),
      ("j", "#1 results  disposed after 800 ms  0 elements  App/Model.swift:42"),
    ])
  func copying(keys: String, text: String) throws {
    try expectCopied(keys, text)
  }

  @Test(
    "The copy key copies the selected event",
    arguments: [
      ("jjG,", #"300 ms  request #2  next  ["a"]  [thread 2]"#),
      ("jj2j", "200 ms  request #2  subscribe  [main]"),
    ])
  func copyingEvents(keys: String, text: String) throws {
    try expectCopied(keys, text)
  }

  private func expectCopied(_ keys: String, _ text: String) throws {
    let stage = try ViewerStage(SampleLog.leak, columns: 30, typing: keys + "y")
    #expect(stage.effects == [.copy(text)])
    #expect(stage.viewer.notice == Notice(text: "copied: \(text)"))
  }

  @Test("The copy key copies the selected finding or lane in a list")
  func copyingFromLists() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "4y")
    guard case .copy(let finding) = stage.effects.last else {
      Issue.record("nothing was copied")
      return
    }
    #expect(finding.hasPrefix("**error\\[undisposed\\]** `9tb1pb`: "))
    stage.type("5jy")
    #expect(stage.effects.last == stage.viewer.panes.statistics.lanes.map { .copy($0[1].lane) })
  }

  @Test("Copied text doesn't contain anything that a terminal would execute")
  func copyingHarm() throws {
    var stage = try ViewerStage(HostileLog.text)
    for keys in ["y", "2jy", "jy", "jy", "4y", "5y"] { stage.type(keys) }
    #expect(!stage.effects.isEmpty)
    for case .copy(let text) in stage.effects { #expect(!HostileLog.isObeyed(text)) }
  }

  @Test("Without a selection, copying and opening do nothing")
  func nothing() throws {
    var stage = try ViewerStage(SampleLog.header + "\n", typing: "y")
    #expect(stage.effects == [])
    #expect(stage.footer == "nothing to copy")
    stage.type("o")
    #expect(stage.footer == "no subscription selected")
  }

  @Test("Opening shows the source of the selected subscription or finding")
  func source() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "jjo")
    #expect(stage.effects == [.open(file: "App/Model.swift", line: 57)])
    stage.type("kk4o")
    #expect(stage.effects.last == .open(file: "App/Model.swift", line: 57))
    stage = try ViewerStage(
      SampleLog.make([#"{"t":1,"event":"subscribe","sub":1,"lane":"a","thread":1}"#]))
    stage.type("o")
    #expect(stage.effects == [])
    #expect(stage.footer == "the log has no source location for a")
  }

  @Test("x exports the log as the filter shows it, and the prompt says so")
  func exportLog() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 120, typing: "jjx")
    #expect(
      stage.footer
        == "Export the log to: trace.csv  .csv, .pftrace for Perfetto; X exports one lane")
    stage.type("<Enter>")
    #expect(stage.effects == [.export(path: "trace.csv", members: .shown(nil), overwrites: false)])
    stage.type("&lane:request<Enter>x")
    #expect(stage.footer.hasPrefix("Export what the filter shows to: trace.csv"))
  }

  @Test("An export of a lane contains only it and the marked time range")
  func export() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "jjX<Enter>")
    #expect(
      stage.effects == [
        .export(path: "request.csv", members: .some([2, 3], nil), overwrites: false)
      ])
    stage.type("Gm,mX<C-u>all.pftrace<Enter>")
    let marked = TimeRange(
      from: Nanoseconds(300 * UInt64(StageLogs.ms)),
      through: Nanoseconds(1000 * UInt64(StageLogs.ms)))
    #expect(
      stage.effects.last
        == .export(path: "all.pftrace", members: .some([2, 3], marked), overwrites: false))
    // The export of a group includes the subscriptions of its lanes.
    stage.type("bg<PgUp><PgUp>X<C-u>all.otlp.json<Enter>")
    #expect(
      stage.effects.last
        == .export(path: "all.otlp.json", members: .some([0, 1, 2, 3], marked), overwrites: false))
  }

  @Test("An export prompt rejects a file name with an unknown extension and stays open")
  func exportName() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "x<C-u>trace.txt<Enter>")
    #expect(stage.effects == [])
    #expect(stage.viewer.prompt?.problem == ExportName.problem)
    stage.type("<C-w>trace.csv<Enter>")
    #expect(stage.effects.count == 1)
    stage.type("x<Esc>")
    #expect(stage.viewer.prompt == nil)
    #expect(stage.effects.count == 1)
  }

  @Test("The result of an action is shown until the next key")
  func notices() throws {
    var stage = try ViewerStage(SampleLog.leak)
    stage.send(.said(Notice(text: "4 subscriptions exported to a.csv")))
    #expect(stage.footer == "4 subscriptions exported to a.csv")
    stage.send(.resized(columns: 90, rows: 20))
    #expect(stage.footer == "4 subscriptions exported to a.csv")
    stage.type("j")
    #expect(!stage.footer.contains("exported"))
  }

  @Test("The back key leaves one state at a time, and never quits", arguments: ["<Esc>", "<BS>"])
  func back(key: String) throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "&lane:request<Enter>2/a<Enter>p?")
    #expect(
      stage.viewer.isReplaying && stage.viewer.search.result != nil && stage.viewer.help.isShown)
    stage.type(key)
    #expect(!stage.viewer.help.isShown && stage.viewer.isReplaying)
    stage.type(key)
    #expect(!stage.viewer.isReplaying && stage.viewer.search.result != nil)
    stage.type(key)
    #expect(stage.viewer.search.result == nil && stage.viewer.focus == .pane)
    stage.type(key)
    #expect(stage.viewer.focus == .timeline && !stage.viewer.feed.arrangement.filter.isEmpty)
    stage.type(key)
    #expect(stage.viewer.viewed.arrangement.filter.isEmpty)
    #expect(stage.effects == [.stopSearch])
    stage.type(key)
    #expect(stage.effects == [.stopSearch])
    #expect(stage.footer.contains("q quits"))
  }

  @Test("The viewer can be quit from every state")
  func quitting() throws {
    for keys in ["q", "2q", " q", "&lane:request<Enter>q"] {
      let stage = try ViewerStage(SampleLog.leak, typing: keys)
      #expect(stage.effects.last == .quit(.clean), "\(keys)")
    }
    for keys in ["<C-c>", "/a<C-c>", "?<C-c>", "2<C-c>", " <C-c>"] {
      let stage = try ViewerStage(SampleLog.leak, typing: keys)
      #expect(stage.effects.last == .quit(.interrupted), "\(keys)")
    }
    #expect(ExitCode.interrupted.rawValue == 130)
  }
}
