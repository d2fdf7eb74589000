import ReactiveKit
import TestSupport
import Testing

@Suite("sample and dropFirst(for:)")
struct SampleTests {
  @Test(
    "sample sends the newest element of each interval that has one",
    arguments: [
      ("1-2---3-------|", "----2---3-----|"), ("123|", "---|"), ("1--------4-!", "----1------!"),
    ])
  func sample(input: String, expected: String) {
    let drawn = onStage { stage in
      stage.play(
        stage.cold(input).signal.sample(interval: 4, scheduler: stage.time))
    }
    // If the source sends an element at the time of a sample, the one that was scheduled first
    // comes first.
    #expect(drawn == expected)
  }

  @Test("Disposing a sample stops its timer and disposes its source")
  func disposal() {
    onStage { stage in
      let source = stage.cold("1-2-3-4-5-6-7-8|")
      #expect(
        stage.play(source.signal.sample(interval: 2, scheduler: stage.time), disposeAt: 5)
          .hasPrefix("--"))
      #expect(source.lifetimes == [Lifetime(0, 5)])
    }
  }

  @Test("dropFirst(for:) skips the elements of the first seconds, but not the end")
  func dropFirst() {
    let drop = { (input: String) in
      onStage { stage in
        stage.play(stage.cold(input).signal.dropFirst(for: 3, scheduler: stage.time))
      }
    }
    #expect(drop("12-4-6|") == "---4-6|")
    #expect(drop("12|") == "--|")
    #expect(drop("1!") == "-!")
  }
}
