import TestSupport
import Testing
import TraceFormat

@testable import LeakDetection
@testable import TraceAnalysis

@Suite("Logs of searches")
struct LeakLogTests {
  private let cart = LeakedObjects.Class(name: "Cart", count: 3, bytes: 120)
  private let item = LeakedObjects.Class(name: "Item", count: 6, bytes: 240)
  private let memory = LeakedObjects.Class(name: "", count: 1, bytes: 1016)

  private func finding(
    _ kind: LeakFinding.Kind, _ retention: Retention, name: String = "Cart"
  ) -> LeakFinding {
    LeakFinding(
      kind: kind, name: name, module: "Shop", retention: retention, count: 3, members: [cart],
      held: [item, memory], site: "Shop/Cart.swift:12", isOfUser: true)
  }

  private func cycle(isProbable: Bool) -> Retention {
    Retention(
      kind: .cycle, isProbable: isProbable,
      steps: [
        .init(.field(.init("Cart", "onChange", .other(.closure), .closure))),
        .init(
          .closure(.init(.closure, capture: .init(.object, type: "Cart", isSelf: true))),
          site: "Shop/Cart.swift:12"),
      ], breakIndex: 1)
  }

  private func log(
    _ findings: [LeakFinding], isWhole: Bool = true, classes: [LeakedObjects.Class] = []
  ) throws -> LogAnalysis {
    let identity = LogIdentity(
      trace: "a", process: "shop", pid: 7, host: nil, started: "2026-11-25T12:00:00.000000000Z")
    let bytes = LeakLog.bytes(
      findings, classes: classes, searched: 4096, isWhole: isWhole, identity)
    return try LogAnalysis.read(LogSource(name: "test.jsonl", bytes: bytes))
  }

  private func sentence(_ finding: Finding) -> String {
    finding.sentence.text(
      text: { $0 }, duration: { "\($0.count)" }, count: { "\($0) \($1)\($0 == 1 ? "" : "s")" })
  }

  @Test("A certain cycle is a retain cycle, and a probable one makes its objects unreachable")
  func cycles() throws {
    let log = try log([
      finding(.cycle, cycle(isProbable: false)), finding(.cycle, cycle(isProbable: true)),
      finding(.unreachable, Retention(kind: .none), name: "Item"),
    ])
    let findings = Verdict(log).findings
    #expect(findings.map(\.rule).sorted() == ["retain-cycle", "unreachable", "unreachable"])
    #expect(findings.allSatisfy { $0.isProven && $0.level == .error })
    let certain = try #require(findings.first { $0.isCycle })
    var expected = cycle(isProbable: false)
    expected.subject = .object
    #expect(certain.retention == expected)
    #expect(
      sentence(certain)
        == "3 cycles with the same steps keep 9 objects alive, which nothing else leads to: "
        + "1376 bytes")
    #expect(
      log.leakedObjects(of: certain.lifecycle)
        == LeakedObjects(count: 3, members: [cart], held: [item, memory]))
    let others = findings.filter { !$0.isCycle }
    #expect(others.map { $0.retention?.isProbable } == [true, nil])
    #expect(
      sentence(others[1])
        == "nothing leads to 3 objects of Item, which are never freed: 1376 bytes")
    #expect(log.lifecycles[certain.lifecycle].site.source == "Shop/Cart.swift:12")
    #expect(log.lifecycles[certain.lifecycle].site.type == "Shop.Cart")
  }

  private func mistake(_ reference: String, _ steps: [Retention.Step] = []) -> LeakFinding {
    var retention = cycle(isProbable: false)
    retention.steps += steps
    return LeakFinding(
      kind: .cycle, name: "Cart", module: "Shop", retention: retention, count: 1, members: [cart],
      held: [], site: "Shop/Cart.swift:12", reference: reference, isOfUser: true)
  }

  @Test("The reference to break identifies a mistake, whatever else is found")
  func identity() throws {
    func groups(_ findings: [LeakFinding]) throws -> [FindingGroup] {
      Verdict(try log(findings)).groups
    }
    let first = LeakedObjects.reference(capturedBy: "closure #1 in Cart.load()")
    let second = LeakedObjects.reference(capturedBy: "closure #1 in Cart.open()")
    let alone = try #require(groups([mistake(first)]).first)
    let longer = Retention.Step(.field(.init("List", "items", .other(.unknown), .collection)))
    #expect(try groups([mistake(first, [longer])]).map(\.id) == [alone.id])
    let both = try groups([mistake(second), mistake(first)])
    #expect(both.count == 2)
    #expect(both.filter { $0.id == alone.id }.count == 1)
    #expect(Set(both.map(\.fingerprint.digest)).count == 2)
    #expect(both.allSatisfy { $0.fingerprint.canBeOfObjects })
  }

  @Test("A mistake that the recorder of the process found isn't counted again")
  func recorded() throws {
    func log(of pid: Int, _ site: String) -> LogSource {
      let identity = LogIdentity(
        trace: "b\(pid)", process: "shop", pid: pid, host: nil,
        started: "2026-11-25T12:00:00.000000000Z")
      let step = #"{"kind":"closure","holds":"Cart","way":"object","at":"\#(site)"}"#
      let lines = [
        #"{"t":1,"event":"subscribe","sub":1,"lane":"cart","op":"lane"}"#,
        #"{"t":2,"event":"retained","sub":1,"lane":"cart","kind":"cycle","proof":"certain","#
          + #""break":0,"steps":[\#(step)]}"#,
        #"{"t":3,"event":"end","records":3,"lost":0}"#,
      ]
      return LogSource(
        name: "\(pid).jsonl",
        bytes: HeaderLine.bytes(identity) + Array((lines.joined(separator: "\n") + "\n").utf8))
    }
    func rules(_ site: String, pid: Int) throws -> [String] {
      let objects = LeakLog.bytes(
        [finding(.cycle, cycle(isProbable: false))], searched: 1, isWhole: true,
        LogIdentity(
          trace: "a", process: "shop", pid: 7, host: nil,
          started: "2026-11-25T12:00:00.000000000Z"))
      let logs = try LogAnalysis.read([
        LogSource(name: "objects.jsonl", bytes: objects), log(of: pid, site),
      ])
      return Verdict(logs.analysis).groups.map(\.site.lane).sorted()
    }
    #expect(try rules("Shop/Cart.swift:12", pid: 7) == ["cart"])
    #expect(try rules("Shop/Cart.swift:13", pid: 7) == ["Cart", "cart"])
    #expect(try rules("Shop/Cart.swift:12", pid: 8) == ["Cart", "cart"])
  }

  @Test("Objects aren't subscriptions, so no other rule finds them")
  func otherRules() throws {
    let log = try log([finding(.cycle, cycle(isProbable: false))])
    #expect(log.lifecycles.count == 1)
    #expect(Verdict(log).findings.count == 1)
    for rule in RuleBook.rules where rule.id != "retain-cycle" {
      #expect(Verdict(log, rules: [rule]).findings.isEmpty, "\(rule.id)")
    }
  }

  @Test("A log without findings is clean, and inconclusive if a part wasn't searched")
  func clean() throws {
    #expect(Verdict(try log([])).outcome == .clean)
    let partial = Verdict(try log([], isWhole: false))
    #expect(partial.outcome == .inconclusive)
    #expect(partial.doubts == [[.partlySearched]])
    // What was found is proven nevertheless.
    let found = Verdict(try log([finding(.cycle, cycle(isProbable: false))], isWhole: false))
    #expect(found.outcome == .findings)
  }

  @Test("The numbers of objects by class are in the log")
  func classes() throws {
    let log = try log([], classes: [cart, item])
    #expect(log.logs.first?.searched == 4096)
    #expect(log.logs.first?.instances.map(\.classes) == [[cart, item]])
  }
}
