import Testing

@testable import InteractiveView
@testable import ViewerConsole

@Suite("Replay and ReplaySpeed")
struct ReplayTests {
  @Test("Fractions of nanoseconds accumulate in a slow replay")
  func remainder() {
    var replay = Replay()
    for _ in 0..<10 { replay.changeSpeed(by: -1) }
    #expect(replay.speed.text == "1/1000x")
    replay.play()
    var sum = replay.elapsed(0)
    for now in 1...10_000 { sum += replay.elapsed(UInt64(now) * 100) }
    #expect((999...1_000).contains(sum))
  }

  @Test("A replay doesn't advance at the first tick, while paused, or if the clock doesn't advance")
  func nothing() {
    var replay = Replay()
    #expect(replay.elapsed(5) == 0)
    replay.play()
    #expect(replay.elapsed(100) == 0)
    #expect(replay.elapsed(100) == 0)
    #expect(replay.elapsed(50) == 0)
    #expect(replay.elapsed(60) == 10)
    replay.pause()
    #expect(replay.elapsed(600) == 0)
    replay.play()
    #expect(replay.elapsed(700) == 0)
  }

  @Test("Extreme clocks and speeds don't overflow a replay")
  func extremes() {
    var replay = Replay(speed: .max)
    replay.play()
    _ = replay.elapsed(0)
    #expect(replay.elapsed(1) == UInt64(9e18))
    replay.changeSpeed(by: 1)
    #expect(replay.elapsed(.max) == UInt64(9e18))
  }

  @Test(
    "Replay speeds are parsed and formatted",
    arguments: [
      ("1", "1x"), ("4x", "4x"), ("0.5", "1/2x"), ("1/8x", "1/8x"), ("1/1000", "1/1000x"),
      ("0.001", "1/1000x"), ("1000X", "1000x"), ("1.5x", "1.5x"), ("3/4", "0.75x"), ("max", "max"),
    ])
  func reading(text: String, written: String) {
    #expect(ReplaySpeed(text)?.text == written)
  }

  @Test(
    "Invalid replay speeds are rejected",
    arguments: [
      "", "x", "0", "-1", "1001", "0.0009", "1/0", "/2", "1/2/3", "1e3", "nan", "inf", "fast", " 1",
    ])
  func nonsense(text: String) {
    #expect(ReplaySpeed(text) == nil)
  }
}
