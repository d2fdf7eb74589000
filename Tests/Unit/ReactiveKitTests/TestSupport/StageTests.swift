import ReactiveKit
import TestSupport
import Testing

@Suite("The test stage")
struct StageTests {
  @Test("The test stage plays a cold source from its beginning for each observation")
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

  @Test("The test stage plays a hot source once, regardless of its observers")
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

  @Test("The test stage records when an observation is disposed")
  func disposal() {
    onStage { stage in
      let source = stage.cold("-1-2-3|")
      #expect(stage.play(source, disposeAt: 3) == "-1-2")
      #expect(source.lifetimes == [Lifetime(0, 3)])
    }
  }

  @Test("The test stage records an active observation as a lifetime without an end")
  func openLifetime() {
    onStage { stage in
      let source = stage.cold("1")
      #expect(stage.play(source) == "1")
      #expect(source.lifetimes == [Lifetime(0, nil)])
    }
  }

  @Test("The test stage fails a test that leaves work pending")
  func pendingWork() {
    withKnownIssue {
      onStage { stage in stage.at(1) {} }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("still pending") }
    }
  }
}
