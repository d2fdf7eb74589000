import TraceFormat

/// The short id of a finding. It is the same in every output, and in each run of the program, also
/// if the code around it moves.
///
/// It is a hash of what a baseline compares (the rule, the lane, its file and its function) and the
/// file of the observation. If one line has several lanes, their names don't matter. Rules that may
/// report the same leak share their ids, because it depends on the run which of them reports it.
/// For objects that leaked, the function is the reference to break. If none stands out, the id
/// includes their kind and the steps of their cycle. If several findings of the same logs have all
/// of this in common, their ids also include the rule, the line and the cycle.
package struct FindingID: Hashable, Sendable, CustomStringConvertible {
  /// The digits, which are distinguishable in any font and don't form words: base 32 without the
  /// letters i, l, o and u.
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  /// The number of digits.
  package static let length = 6

  package let description: String

  /// Reports whether a user means this id. Capital letters don't matter.
  package func matches(_ text: String) -> Bool { text.lowercased() == description }

  /// Reports whether the id begins with what a user typed.
  func begins(with text: String) -> Bool { description.hasPrefix(text.lowercased()) }

  /// Reports whether a text has the form of an id.
  package static func isID(_ text: String) -> Bool {
    text.utf8.count == length && text.lowercased().utf8.allSatisfy(digits.contains)
  }

  static let none = FindingID(description: "")

  private init(description: String) {
    self.description = description
  }

  /// Creates an id from texts.
  init(_ texts: [String]) {
    var hash = FNV1a()
    for text in texts {
      hash.add(text.utf8)
      // No string contains this byte.
      hash.add(0xFF)
    }
    var number = hash.value ^ (hash.value >> 32)
    let digits = (0..<Self.length).map { _ in
      defer { number >>= 5 }
      return Self.digits[Int(number & 31)]
    }
    description = String(decoding: digits, as: UTF8.self)
  }

  /// Returns the ids of groups, each of them once.
  static func ids(of groups: [FindingGroup], in log: LogAnalysis) -> [FindingID] {
    let identities = groups.map { Identity($0, in: log) }
    var counts: [[String]: Int] = [:]
    for identity in identities { counts[identity.texts, default: 0] += 1 }
    let texts = identities.indices.map { index -> [String] in
      let identity = identities[index]
      return counts[identity.texts] == 1
        ? identity.texts : identity.texts + identity.details(of: groups[index])
    }
    var ids = [FindingID](repeating: .none, count: groups.count)
    var known: Set<FindingID> = []
    // The order does not depend on times.
    for index in texts.indices.sorted(by: { texts[$0].lexicographicallyPrecedes(texts[$1]) }) {
      var id = FindingID(texts[index])
      var attempt = 1
      while !known.insert(id).inserted {
        attempt += 1
        id = FindingID(texts[index] + ["\(attempt)"])
      }
      ids[index] = id
    }
    return ids
  }

  /// The properties of a finding that do not change from run to run.
  private struct Identity {
    private(set) var texts: [String]

    /// Takes the first place in alphabetical order, because the finding whose subscription is the
    /// oldest may be another one in the next run.
    init(_ group: FindingGroup, in log: LogAnalysis) {
      // Several lanes of one line often have numbers in their names, which are others in each run.
      let hasLane =
        group.lanes.count == 1
        || Set(group.samples.map { MistakePlace(of: $0.lifecycle, in: log) }).count > 1
      texts =
        group.samples.map { finding in
          let place = Fingerprint.ofPlace(finding, in: log).leak
          let observed = log.observed(of: log.lifecycles[finding.lifecycle])?.file ?? ""
          let lane = hasLane ? place.lane : ""
          return [place.rule, lane, place.file, place.function, observed]
        }.min { $0.lexicographicallyPrecedes($1) } ?? []
      guard let first = group.findings.first, log.lifecycles.activity(at: first.lifecycle).isObject
      else {
        return
      }
      // Whether a cycle is certain can depend on the run.
      guard log.lifecycles[first.lifecycle].site.function == nil else {
        if !texts.isEmpty { texts[0] = LogFormat.Operator.object.rawValue }
        return
      }
      texts += [first.rule] + (first.retention?.cycleIdentity(\.lastingIdentity) ?? [])
    }

    func details(of group: FindingGroup) -> [String] {
      let line = group.observed?.line ?? group.site.line
      let cycle = group.findings.first?.retention?.cycleIdentity(\.identity) ?? []
      return [group.fingerprint.rule, line.map { "\($0)" } ?? ""] + cycle
    }
  }
}
