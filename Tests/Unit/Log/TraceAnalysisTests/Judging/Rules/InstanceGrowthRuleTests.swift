import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("The rule about growing classes")
struct InstanceGrowthRuleTests {
  private func instances(_ scope: Int, _ counts: [String: Int]) -> String {
    let members = counts.sorted { $0.key < $1.key }.map {
      #"{"name":"\#($0.key)","count":\#($0.value),"bytes":\#($0.value * 32)}"#
    }
    return #"{"t":\#(scope * second + 1),"event":"instances","scope":\#(scope),"members":["#
      + members.joined(separator: ",") + "]}"
  }

  private func object(_ sub: Int, _ name: String, scope: Int) -> String {
    """
    {"t":\(scope * second + 2),"event":"object","sub":\(sub),"lane":"\(name)",\
    "source":"Shop/\(name).swift:5","type":"Shop.\(name)","scope":\(scope),"count":4,\
    "members":[{"name":"\(name)","count":4,"bytes":128}]}
    """
  }

  /// Returns the lines of a log in which the scope "open" is repeated.
  private func log(_ counts: [Int], _ more: [String] = [], name: String = "open") -> [String] {
    counts.enumerated().flatMap { index, count in
      scope(index + 1, name, index * second, (index + 1) * second)
        + [instances(index + 1, ["Shop.Cart": count, "Shop.Item": 3])]
        + (index == 3 ? [object(1, "Cart", scope: 4)] + more : [])
    }
  }

  @Test("A class that grows with each repetition is found, with what keeps an instance alive")
  func growth() throws {
    let retained = """
      {"t":\(4 * second + 3),"event":"retained","sub":1,"lane":"Cart","kind":"path",\
      "proof":"certain","steps":[{"kind":"static","name":"Shop.carts"},\
      {"kind":"object","type":"Cart"}]}
      """
    let found = try RuleFixture("instance-growth", log([1, 2, 3, 4, 6], [retained]))
    #expect(
      found.sentences == ["from 1 to 6 instances of Cart, more after each of 4 repetitions of open"]
    )
    let finding = try #require(found.findings.first)
    #expect(finding.level == .warning)
    #expect(finding.isProven)
    let retention = try #require(finding.retention)
    #expect(retention.subject == .object)
    #expect(
      RetentionWords.remedy(retention)?.text
        == "Remove the object from static Shop.carts when it is no longer needed.")
    for rule in RuleBook.rules where rule.id != "instance-growth" {
      #expect(try RuleFixture(rule.id, log([1, 2, 3, 4, 6], [retained])).findings.isEmpty)
    }
  }

  @Test("Repetitions around one without counts aren't taken for consecutive ones")
  func uncounted() throws {
    let all = log([1, 2, 2, 3, 4])
    let third = instances(3, ["Shop.Cart": 2, "Shop.Item": 3])
    #expect(all.contains(third))
    #expect(try RuleFixture("instance-growth", all.filter { $0 != third }).findings.isEmpty)
    // After it, the class can grow often enough.
    let longer = log([1, 9, 2, 3, 4, 6])
    let second = instances(2, ["Shop.Cart": 9, "Shop.Item": 3])
    #expect(
      try RuleFixture("instance-growth", longer.filter { $0 != second }).sentences
        == ["from 2 to 6 instances of Cart, more after each of 3 repetitions of open"])
  }

  @Test("A class that stops growing later isn't found", arguments: [4, 3, 0])
  func stops(count: Int) throws {
    #expect(try RuleFixture("instance-growth", log([1, 2, 3, 4, count])).findings.isEmpty)
  }

  @Test("A threshold sets the smallest number of repetitions")
  func threshold() throws {
    func count(_ min: Double) throws -> Int {
      try RuleFixture("instance-growth", log([1, 2, 3, 4, 5])) {
        $0.thresholds["instance-growth"] = ["min": min]
      }.findings.count
    }
    #expect(try count(4) == 1)
    #expect(try count(5) == 0)
  }

  @Test("The classes of one repetition can be in several records")
  func severalRecords() throws {
    var lines: [String] = []
    for number in 1...4 {
      lines += scope(number, "open", (number - 1) * second, number * second)
      lines += [
        instances(number, ["Shop.Item": 1]), instances(number, ["Shop.Cart": number]),
      ]
    }
    lines.append(object(1, "Cart", scope: 4))
    #expect(
      try RuleFixture("instance-growth", lines).sentences
        == ["from 1 to 4 instances of Cart, more after each of 3 repetitions of open"])
  }

  @Test("The repetitions of other scopes don't count")
  func otherScope() throws {
    var lines = log([1, 2, 3, 4])
    lines += scope(9, "close", 9 * second, 10 * second) + [instances(9, ["Shop.Cart": 1])]
    #expect(try RuleFixture("instance-growth", lines).findings.count == 1)
  }

  @Test("A class that grows with two scopes is one finding")
  func nested() throws {
    var lines: [String] = []
    for number in 1...4 {
      lines += scope(number * 2, "outer", number * second, number * second + 20)
      lines += scope(number * 2 + 1, "inner", number * second, number * second + 10)
      lines.append(instances(number * 2 + 1, ["Shop.Cart": number]))
      lines.append(instances(number * 2, ["Shop.Cart": number]))
    }
    lines += [object(1, "Cart", scope: 9), object(2, "Cart", scope: 8)]
    #expect(try RuleFixture("instance-growth", lines).members == [[1]])
  }
}
