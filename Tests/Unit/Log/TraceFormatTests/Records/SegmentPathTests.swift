import Testing

@testable import TraceFormat

@Suite("SegmentPath")
struct SegmentPathTests {
  @Test(
    "The path of a further file gives the first file's path and the segment number",
    arguments: ["a.jsonl", "a", "x.y/a", "x/a.b.jsonl", "a.jsonl.2", "x/.a", "é.part-1.jsonl"],
    [2, 3, 10, 1000])
  func roundTrip(first: String, number: Int) {
    let parsed = SegmentPath.parse(SegmentPath.of(first, number))
    #expect(parsed == (first, number))
  }

  @Test(
    "Any other path is the path of a first file",
    arguments: [
      "", "a", "a.jsonl", "part-2", "part-2.jsonl", "a.part-1.jsonl", "a.part-.jsonl",
      "a.part-02.jsonl", "a.part-x.jsonl", "a.part-2.b.jsonl", "x.part-2/a.jsonl",
    ])
  func otherNames(path: String) {
    #expect(SegmentPath.parse(path) == (path, 1))
  }
}
