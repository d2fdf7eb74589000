import ReactiveKit
import TestSupport
import Testing

@Suite("marble strings")
struct MarblesTests {
  @Test("read as one second a character")
  func parsing() {
    #expect(
      Marbles.parse("-1-a|") == [
        TimedEvent(1, .next("1")), TimedEvent(3, .next("a")), TimedEvent(4, .completed),
      ])
  }

  @Test("read a group as one instant, and brackets as one element")
  func groups() {
    #expect(
      Marbles.parse("(a[12]|)") == [
        TimedEvent(0, .next("a")), TimedEvent(0, .next("12")), TimedEvent(0, .completed),
      ])
    #expect(
      Marbles.parse("(ab)-!") == [
        TimedEvent(0, .next("a")), TimedEvent(0, .next("b")), TimedEvent(2, .failed(TestError())),
      ])
  }

  @Test(
    "are drawn as they are read",
    arguments: ["", "|", "!", "-1-2|", "(12)-[34]-(5|)", "--a--!", "1", "[10][11]-(1[12]2)"])
  func roundTrip(text: String) {
    #expect(Marbles.draw(Marbles.parse(text)) == text)
  }

  @Test("are drawn without trailing time where there is no end")
  func trailingTime() {
    #expect(Marbles.draw(Marbles.parse("1---")) == "1")
  }
}
