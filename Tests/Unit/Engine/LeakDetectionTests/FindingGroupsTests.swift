#if os(Linux)
  import Testing
  import TraceFormat

  @testable import LeakDetection

  @Suite("Groups of leaked objects")
  struct FindingGroupsTests {
    private func field(_ owner: String, _ name: String) -> Retention.Step {
      Retention.Step(.field(.init(owner, name, .other(.unknown), .other)))
    }

    private func finding(
      _ steps: [Retention.Step], isProbable: Bool = false, site: String = "M/Cart.swift:4"
    ) -> LeakFinding {
      LeakFinding(
        kind: .cycle, name: "Cart", module: "M",
        retention: Retention(kind: .cycle, isProbable: isProbable, steps: steps, breakIndex: 0),
        count: 1, members: [], held: [], site: site, reference: "property Cart.owner",
        isOfUser: true)
    }

    @Test("The order of objects in memory doesn't decide which cycle describes a mistake")
    func order() {
      let back = field("Cart", "owner")
      let best = finding([back, field("Shop", "a")])
      let findings = [
        finding([back, field("Shop", "a")], isProbable: true), best,
        finding([back, field("Shop", "b")]),
        finding([back, field("Shop", "a"), field("Shop", "b")]),
      ]
      for start in findings.indices {
        var groups = FindingGroups()
        for finding in findings[start...] + findings[..<start] {
          groups.add(finding, members: [], held: [])
        }
        #expect(groups.findings.map(\.retention) == [best.retention])
        #expect(groups.findings.map(\.count) == [4])
      }
    }
  }
#endif
