import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Known sites")
struct KnownSiteTests {
  @Test("Sites with the same strings are one object")
  func same() {
    let site = KnownSite(lane: "a", source: "M/F.swift:1", function: "f()", type: "Int", op: .lane)
    #expect(
      KnownSite(lane: "a", source: "M/F.swift:1", function: "f()", type: "Int", op: .lane).site
        === site.site)
    for other in [
      KnownSite(lane: "b", source: "M/F.swift:1", function: "f()", type: "Int", op: .lane),
      KnownSite(lane: "a", source: "M/F.swift:2", function: "f()", type: "Int", op: .lane),
      KnownSite(lane: "a", source: "M/F.swift:1", function: nil, type: "Int", op: .lane),
      KnownSite(lane: "a", source: "M/F.swift:1", function: "f()", type: "", op: .lane),
      KnownSite(lane: "a", source: "M/F.swift:1", function: "f()", type: "Int", op: nil),
    ] {
      #expect(other.site !== site.site)
    }
    #expect(KnownSite(lane: "a", source: "b").site !== KnownSite(lane: "ab").site)
  }

  @Test("Sites whose strings only look alike are different objects")
  func alike() {
    let one = KnownSite(lane: "caf\u{E9}")
    let two = KnownSite(lane: "cafe\u{301}")
    #expect(one.site !== two.site)
    #expect(Array(one.site.lane.utf8) == [0x63, 0x61, 0x66, 0xC3, 0xA9])
    #expect(Array(two.site.lane.utf8) == [0x63, 0x61, 0x66, 0x65, 0xCC, 0x81])
  }

  @Test("A lifecycle is copied without reference counting")
  func onlyBytes() {
    #expect(_isPOD(Lifecycle.self))
  }
}
