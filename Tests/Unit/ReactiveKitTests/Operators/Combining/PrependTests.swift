import ReactiveKit
import TestSupport
import Testing

@Suite("prepend and append")
struct PrependTests {
  @Test("prepend and append add an element, and replaceEmpty adds one to an empty signal")
  func elements() {
    #expect(marbles("-1-|") { $0.prepend("0") } == "01-|")
    #expect(marbles("-1-|") { $0.append("2") } == "-1-(2|)")
    #expect(marbles("-1-!") { $0.append("2") } == "-1-!")
    #expect(marbles("--|") { $0.replaceEmpty(with: "0") } == "--(0|)")
    #expect(marbles("1-|") { $0.replaceEmpty(with: "0") } == "1-|")
    #expect(marbles("--!") { $0.replaceEmpty(with: "0") } == "--!")
  }

  @Test("append observes its second signal after the first completes, and disposes each as it ends")
  func signals() {
    onStage { stage in
      let first = stage.cold("-1-|")
      let second = stage.cold("-2|")
      #expect(stage.play(first.signal.append(second.signal)) == "-1--2|")
      #expect(first.lifetimes == [Lifetime(0, 3)])
      #expect(second.lifetimes == [Lifetime(3, 5)])
    }
    onStage { stage in
      let first = stage.cold("-1-!")
      let second = stage.cold("-2|")
      #expect(stage.play(second.signal.prepend(first.signal)) == "-1-!")
      #expect(second.lifetimes.isEmpty)
    }
  }

  @Test("Disposing an appended signal disposes the part that is being observed")
  func disposal() {
    onStage { stage in
      let first = stage.cold("-1|")
      let second = stage.cold("---2|")
      #expect(stage.play(first.signal.append(second.signal), disposeAt: 4) == "-1")
      #expect(second.lifetimes == [Lifetime(2, 4)])
    }
  }

  @Test("prepend doesn't observe its source if the prepended element is enough")
  func first() {
    onStage { stage in
      let source = stage.cold("1|")
      #expect(stage.play(source.signal.prepend("0").first()) == "(0|)")
      #expect(source.lifetimes.isEmpty)
    }
  }
}
