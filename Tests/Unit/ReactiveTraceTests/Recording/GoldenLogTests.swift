import Synchronization
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import SystemLibrary
@testable import TraceFormat

@Suite("Golden log", .ownThread)
struct GoldenLogTests {
  @Test("A log matches the expected lines byte for byte")
  func golden() throws {
    let log = try TemporaryLog()
    let time = Atomic<Int>(0)
    let clock = LogClock { time.wrappingAdd(1204, ordering: .relaxed).oldValue }
    let recorder = try Recorder(path: log.path, identity: .golden, clock: clock)
    try onItsOwnThread(named: "writer") {
      let subscription = recorder.subscription()
      subscription.next(text: #"["swift"]"#)
      subscription.breakpoint(on: .next, "x")
      subscription.failed("broken")
      let scope = TraceScope(
        "screen", number: recorder.beginScope("screen"), in: recorder, outer: nil)
      let inner = TracedSubscription(
        recorder: recorder,
        site: SharedSite(
          TraceSite(
            "b", .debug, library: .openCombine, file: "M/F.swift", line: 1, function: "f()"),
          type: "Int"),
        observed: PlaceNumber(number: 99_999), parent: subscription, cause: 1,
        scope: scope, lifetimeIsProcess: true)
      inner.disposed()
      recorder.endScope(1)
      recorder.mark("here")
    }
    recorder.finish()
    let expected = #"""
      {"t":0,"event":"trace","version":1,"minor":5,"trace":"9f0c2d4e8b7a61530f1e2d3c4b5a6978",\#
      "process":"search-sample","pid":4242,"host":"ci-7",\#
      "started":"2026-11-20T23:48:50.123456789Z","recorder":"0.1.0","segment":1,"sub":0,\#
      "lane":"-","value":"-","truncated":0,"error":"-","thread":0,"op":"-","library":"-",\#
      "source":"-","function":"-","type":"-","observed":"-","parent":0,"cause":0,"scope":0,\#
      "outer":0,\#
      "lifetime":"-","frames":"-","name":"-","count":0,"reason":"-","on":"-","kind":"-",\#
      "proof":"-","tail":0,"break":0,"steps":[{"kind":"-","type":"-","name":"-","holds":"-",\#
      "target":"-","way":"-","value":"-","in":"-","code":"-","library":"-","state":"-","self":0,\#
      "loop":0,"sub":0,"count":0,"bytes":0,"at":"-","column":0,"ref":"-"}],"owner":"-",\#
      "searched":0,\#
      "records":0,"lost":0,"run":"-","replaced":0,"shared":0,"twin":0,"task":0,"priority":0,\#
      "state":"-","wait":"-","pause":"-","awaits":[{"sub":0,"thread":0}],"canceled":0,\#
      "reach":"-","calls":[{"name":"-","at":"-","path":"-","code":"-","kind":"-","count":0}],\#
      "members":[{"name":"-","count":0,"bytes":0}],"held":[{"name":"-","count":0,"bytes":0}],\#
      "command":["-"],"tracer":0,"moved":0}
      {"t":1204,"event":"thread","thread":2,"name":"writer"}
      {"t":0,"event":"subscribe","sub":1,"lane":"search.results","thread":2,"op":"lane",\#
      "source":"SearchSample/SearchModel.swift:42","function":"bind()","type":"Array<String>"}
      {"t":2408,"event":"next","sub":1,"lane":"search.results","value":"[\"swift\"]","thread":2}
      {"t":3612,"event":"breakpoint","sub":1,"lane":"search.results","value":"x","thread":2,\#
      "on":"next"}
      {"t":4816,"event":"failed","sub":1,"lane":"search.results","error":"broken","thread":2}
      {"t":6020,"event":"scope-begin","scope":1,"name":"screen"}
      {"t":7224,"event":"subscribe","sub":2,"lane":"b","thread":2,"op":"debug",\#
      "library":"OpenCombine","source":"M/F.swift:1","function":"f()","type":"Int","parent":1,\#
      "cause":1,"scope":1,\#
      "lifetime":"process","observed":"call.99999"}
      {"t":8428,"event":"disposed","sub":2,"lane":"b","thread":2}
      {"t":9632,"event":"scope-end","scope":1}
      {"t":10836,"event":"mark","name":"here"}
      {"t":12040,"event":"place","lane":"call.99999","function":"unknown call stack"}
      {"t":12040,"event":"end","records":12,"lost":0}

      """#
    let lines = try log.lines()
    #expect(lines == expected.split(separator: "\n").map(String.init))
  }

  @Test("The header contains every key of the format in the order of the format")
  func header() {
    let line = String(decoding: HeaderLine.bytes(.golden), as: UTF8.self)
    // The objects in a list have some of the keys, too.
    var rest = line[...]
    for key in LogFormat.Key.allCases {
      guard let range = rest.firstRange(of: "\"\(key.rawValue)\":") else {
        Issue.record("\(key.rawValue) is missing or comes too early")
        continue
      }
      rest = rest[range.upperBound...]
    }
  }

  @Test("The header omits an unknown host and an unknown process name")
  func unknown() {
    var identity = LogIdentity.golden
    identity.host = nil
    identity.process = nil
    let line = String(decoding: HeaderLine.bytes(identity), as: UTF8.self)
    #expect(!line.contains("host") && !line.contains("process\""))
  }
}
