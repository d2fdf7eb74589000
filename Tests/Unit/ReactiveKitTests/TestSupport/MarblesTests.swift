import ReactiveKit
import TestSupport
import Testing

@Suite("Marble strings")
struct MarblesTests {
  @Test("A marble string has one character per second")
  func parsing() {
    #expect(
      Marbles.parse("-1-a|") == [
        TimedEvent(1, .next("1")), TimedEvent(3, .next("a")), TimedEvent(4, .completed),
      ])
  }

  @Test("A marble string has groups for one instant, and brackets for one element")
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
    "A marble string is the same after it is parsed and drawn",
    arguments: ["", "|", "!", "-1-2|", "(12)-[34]-(5|)", "--a--!", "1", "[10][11]-(1[12]2)"])
  func roundTrip(text: String) {
    #expect(Marbles.draw(Marbles.parse(text)) == text)
  }

  @Test("A drawn marble string without an end omits trailing time")
  func trailingTime() {
    #expect(Marbles.draw(Marbles.parse("1---")) == "1")
  }
}
