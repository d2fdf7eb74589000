import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceFormat
@testable import ViewerConsole

/// Leaked objects aren't subscriptions: they don't have lives or elements.
@Suite("Screens of leaked objects")
struct ObjectScreenTests {
  @Test("The details of a cycle draw it as a ring with what hangs on it")
  func ring() throws {
    let stage = try ViewerStage(SampleLog.objects, columns: 80, rows: 40, typing: "4g<Enter>")
    let screen = stage.screen.joined(separator: "\n")
    #expect(
      screen.contains(
        """
        objects     on the cycle: 1 Cart (40 bytes)
        held by     a cycle of 2 steps; each holds the next
        ╭▶┬─ Cart.onChange             closure
        ╰─┼─ closure at Cart.swift:13  captures self strongly  ◀─ break it here
          │    Capture self weakly: [weak self].
          │  keeps alive
          ├╌ 12 × Item   480 bytes
          ╰╌ 1 × memory  136 bytes
        source      Shop/Cart.swift:13
        class       Shop.Cart
        """), "\(screen)")
  }

  @Test("The details of an object without a cycle list what it keeps alive")
  func unreachable() throws {
    let stage = try ViewerStage(SampleLog.objects, columns: 80, rows: 40, typing: "4G<Enter>")
    let screen = stage.screen.joined(separator: "\n")
    #expect(
      screen.contains(
        """
        objects     without a holder: 1 Collage (24 bytes)
        keeps       what nothing else keeps alive
          ╰╌ 2 × Photo  96 bytes
        source      Shop/Collage.swift:9
        """), "\(screen)")
  }

  @Test("No pane uses the words of subscriptions for leaked objects", arguments: [40, 80, 140])
  func words(columns: Int) throws {
    for pane in 1...5 {
      let stage = try ViewerStage(SampleLog.objects, columns: columns, rows: 40, typing: "!\(pane)")
      // The tabs have the names of all panes.
      for line in stage.screen where !line.contains(" \(pane) ") {
        for wrong in ["0 elements", "ELEMENTS", "elements", "active", "0 ns", "#1", "thread"] {
          #expect(!line.contains(wrong), "\(pane): \(line)")
        }
      }
    }
  }

  @Test("The head of the screen counts leaked objects instead of subscriptions")
  func head() throws {
    let stage = try ViewerStage(SampleLog.objects, columns: 120)
    #expect(stage.screen[0].contains("22 leaked objects"), "\(stage.screen[0])")
    #expect(!stage.screen[0].contains("subscription"), "\(stage.screen[0])")
  }

  @Test("The list of a lane has the number of objects and bytes")
  func list() throws {
    let stage = try ViewerStage(SampleLog.objects, columns: 80, typing: "!1")
    let titles = try #require(stage.screen.first { $0.contains("OBJECTS") })
    #expect(titles.contains("BYTES  SOURCE"))
    #expect(stage.screen.contains { $0.contains("13") && $0.contains("656  Shop/Cart.swift:13") })
  }
}
