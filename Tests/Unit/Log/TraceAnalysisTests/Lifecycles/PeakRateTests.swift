import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("PeakRate and ElementDigest")
struct PeakRateTests {
  @Test(
    "Peak rates and digests don't depend on where the elements are divided",
    arguments: 0..<20)
  func divisions(seed: UInt64) {
    var numbers = FixedNumbers(seed: seed)
    let count = Int.random(in: 1...60, using: &numbers)
    var second: UInt64 = 0
    let elements: [(time: UInt64, text: [UInt8])] = (0..<count).map { _ in
      if Bool.random(using: &numbers) { second = UInt64.random(in: 0...4, using: &numbers) }
      let length = Int.random(in: 0...40, using: &numbers)
      return (
        second * 1_000_000_000 + 7, (0..<length).map { _ in .random(in: 32...126, using: &numbers) }
      )
    }
    func measure(_ range: Range<Int>) -> (PeakRate, ElementDigest) {
      var peakRate = PeakRate()
      var digest = ElementDigest()
      for element in elements[range] {
        peakRate.countElement(at: Nanoseconds(element.time))
        element.text.withUnsafeBufferPointer { bytes in
          guard let start = bytes.baseAddress else { return digest.addNothing() }
          digest.add(RawText(start: start, count: bytes.count, isEscaped: false))
        }
      }
      return (peakRate, digest)
    }
    let whole = measure(0..<count)
    for first in 0...count {
      for second in first...count {
        var (peakRate, digest) = measure(0..<first)
        for range in [first..<second, second..<count] {
          let next = measure(range)
          peakRate.append(next.0)
          digest.append(next.1, count: range.count)
        }
        #expect(peakRate == whole.0)
        #expect(digest == whole.1)
      }
    }
  }

  @Test("A peak rate finds the second with the longest run of elements")
  func longestRun() {
    var peakRate = PeakRate()
    for second in [0, 0, 3, 3, 3, 0, 0, 7, 7, 7] {
      peakRate.countElement(at: Nanoseconds(UInt64(second) * 1_000_000_000))
    }
    #expect(peakRate.count == 3)
    #expect(peakRate.second == 3)
  }

  @Test("A digest depends on every byte and on the order of the strings")
  func digests() {
    func digest(_ texts: [String]) -> ElementDigest {
      texts.reduce(into: ElementDigest()) { digest, text in
        var text = text
        text.withUTF8 { bytes in
          guard let start = bytes.baseAddress else { return }
          digest.add(RawText(start: start, count: bytes.count, isEscaped: false))
        }
      }
    }
    var seen: Set<ElementDigest> = [digest(["a", "b"]), digest(["b", "a"]), digest(["ab"])]
    #expect(seen.count == 3)
    for length in 1...40 {
      let text = [UInt8](repeating: 0x61, count: length)
      for place in 0..<length {
        var other = text
        other[place] = 0x62
        seen.insert(digest([String(decoding: other, as: UTF8.self)]))
      }
    }
    // "ab" is a duplicate.
    #expect(seen.count == 3 + 40 * 41 / 2 - 1)
  }
}
