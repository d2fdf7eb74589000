import ReactiveKit
import TestSupport
import Testing

@Suite("the test stage")
struct StageTests {
  @Test("plays a cold source from its beginning for each observation")
  func cold() {
    onStage { stage in
      let source = stage.cold("-1-2|")
      let first = stage.watch(source)
      var second: Watch?
      stage.at(2) { second = stage.watch(source) }
      stage.time.run()
      #expect(first.drawn == "-1-2|")
      #expect(second?.drawn == "---1-2|")
      #expect(source.lifetimes == [Lifetime(0, 4), Lifetime(2, 6)])
    }
  }

  @Test("plays a hot source once, whoever observes")
  func hot() {
    onStage { stage in
      let source = stage.hot("-1-2-3|")
      var late: Watch?
      stage.at(2) { late = stage.watch(source) }
      stage.time.run()
      #expect(late?.drawn == "---2-3|")
      #expect(source.lifetimes == [Lifetime(2, 6)])
    }
  }

  @Test("notes when an observation is disposed")
  func disposal() {
    onStage { stage in
      let source = stage.cold("-1-2-3|")
      #expect(stage.play(source, disposeAt: 3) == "-1-2")
      #expect(source.lifetimes == [Lifetime(0, 3)])
    }
  }

  @Test("leaves the end of an observation open while it lasts")
  func openLifetime() {
    onStage { stage in
      let source = stage.cold("1")
      #expect(stage.play(source) == "1")
      #expect(source.lifetimes == [Lifetime(0, nil)])
    }
  }

  @Test("fails a test that leaves work pending")
  func pendingWork() {
    withKnownIssue {
      onStage { stage in stage.at(1) {} }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("still pending") }
    }
  }
}
