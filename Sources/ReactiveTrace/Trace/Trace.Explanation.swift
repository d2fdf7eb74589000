import TraceFormat

extension Trace {
  /// The reason why a subscription is still alive, as found in the memory of the process.
  public struct Explanation: Sendable, Equatable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Kind: Sendable, Equatable {
      /// A retain cycle keeps the subscription alive.
      case cycle
      /// Something that lives until exit leads to the subscription: a global variable, a Task, the
      /// stack of a thread.
      case path
      /// Nothing was found that holds the subscription.
      case none
      /// The memory of this process cannot be searched.
      case unsupported
    }

    /// A step of a path: something that holds the next step.
    public struct Step: Sendable, Equatable {
      /// The thing that holds the next step, such as `closure at SearchScreen.swift:26` or
      /// `SearchScreen.bag`.
      public let what: String
      /// More about it, such as `captures self strongly`. It may be empty.
      public let detail: String
      /// The source location, such as `Module/SearchScreen.swift:26`, or nil if it is unknown.
      public let source: String?

      package init(what: String, detail: String, source: String?) {
        self.what = what
        self.detail = detail
        self.source = source
      }
    }

    public let kind: Kind
    /// A Boolean value that indicates whether a step was found only by looking at words that may be
    /// references.
    public let isProbable: Bool
    /// The steps, each of which holds the next one. In a cycle, the last step before the tail holds
    /// the first one.
    public let steps: [Step]
    /// The number of steps at the end that lead from the cycle to the subscription.
    public let tail: Int
    /// The index of the step to break, or nil if none stands out.
    public let breakIndex: Int?
    /// The remedy, in a sentence.
    public let advice: String?
    /// A sentence about who can dispose the subscription.
    public let holder: String?
    /// The limits of the search, in a sentence.
    public let note: String?

    package init(
      kind: Kind, isProbable: Bool = false, steps: [Step] = [], tail: Int = 0,
      breakIndex: Int? = nil, advice: String? = nil, holder: String? = nil, note: String? = nil
    ) {
      self.kind = kind
      self.isProbable = isProbable
      self.steps = steps
      self.tail = tail
      self.breakIndex = breakIndex
      self.advice = advice
      self.holder = holder
      self.note = note
    }

    /// A text of several lines: what was found, the steps, and what to do.
    public var description: String {
      var lines: [String] = []
      let adverb = isProbable ? "probably " : ""
      switch kind {
      case .cycle: lines.append("\(adverb)kept alive by a cycle:")
      case .path: lines.append("\(adverb)held by:")
      case .none where holder == nil && note == nil: lines.append("nothing was found that holds it")
      case .none, .unsupported: break
      }
      lines += stepLines.map { "  " + $0 }
      lines += [holder, isAdviceInMark ? nil : advice, note].compactMap(\.self)
      return lines.joined(separator: "\n")
    }

    /// The steps in columns.
    private var stepLines: [String] {
      let width = steps.lazy.map(\.what.count).max() ?? 0
      var lines: [String] = []
      for (index, step) in steps.enumerated() {
        if kind == .cycle, tail > 0, index == steps.count - tail {
          lines.append("and from the cycle to the subscription:")
        }
        var line = step.what
        if !step.detail.isEmpty {
          line += String(repeating: " ", count: width - step.what.count + 3) + step.detail
        }
        if index == breakIndex { line += "      " + mark }
        lines.append(line)
      }
      return lines
    }

    /// A Boolean value that indicates whether the words beside the step to break have all of the advice.
    private var isAdviceInMark: Bool {
      guard breakIndex != nil else { return false }
      guard let advice, let start = advice.firstIndex(of: "["),
        let end = advice[start...].firstIndex(of: "]")
      else { return true }
      return advice[end...].dropFirst().allSatisfy { $0 == "." }
    }

    /// The words beside the step to break, with the capture list alone if the advice names one.
    private var mark: String {
      guard let advice else { return "<- break it here" }
      if let start = advice.firstIndex(of: "["), let end = advice[start...].firstIndex(of: "]") {
        return "<- break it here: \(advice[start...end])"
      }
      return "<- break it here: \(advice.hasSuffix(".") ? String(advice.dropLast()) : advice)"
    }
  }
}

extension Trace.Explanation {
  /// The most steps that are written. Of more, those in the middle are left out.
  private static let mostSteps = 64
  /// The most bytes of a text. Names of generic types can be very long.
  private static let mostBytes = 512

  /// Appends the fields of the record `retained` to a line.
  package func encode(_ line: inout LineBuffer) {
    line.text(.kind, word.rawValue)
    let whole = shortened
    if !whole.steps.isEmpty {
      let proof: LogFormat.RetentionProof = isProbable ? .probable : .certain
      line.text(.proof, proof.rawValue)
      line.texts(.path, whole.steps.map { Self.cut($0.what) })
      line.texts(.details, whole.steps.map { Self.cut($0.detail) })
      line.texts(.sites, whole.steps.map { Self.cut($0.source ?? "") })
      if whole.tail > 0 { line.integer(.tail, whole.tail) }
      if let breakIndex = whole.breakIndex { line.integer(.breakIndex, breakIndex) }
    }
    if let advice { line.text(.advice, Self.cut(advice)) }
    if let holder { line.text(.holder, Self.cut(holder)) }
    if let note { line.text(.note, Self.cut(note)) }
  }

  private var word: LogFormat.RetentionKind {
    switch kind {
    case .cycle: .cycle
    case .path: .path
    case .none: .none
    case .unsupported: .unsupported
    }
  }

  /// The explanation with at most as many steps as are written. One step stands for those that are
  /// left out.
  private var shortened: Trace.Explanation {
    guard steps.count > Self.mostSteps else { return self }
    let start = Self.mostSteps / 2 - 1
    let end = steps.count - Self.mostSteps / 2
    let rest = Step(what: "\(end - start) more steps", detail: "", source: nil)
    /// Returns the new index of a step, or that of the step that stands for it.
    func moved(_ index: Int) -> Int { index < start ? index : max(start, index - end + start + 1) }
    return Trace.Explanation(
      kind: kind, isProbable: isProbable, steps: steps[..<start] + [rest] + steps[end...],
      tail: tail == 0 ? 0 : Self.mostSteps - moved(steps.count - tail),
      breakIndex: breakIndex.flatMap { (start..<end).contains($0) ? nil : moved($0) },
      advice: advice, holder: holder, note: note)
  }

  /// Returns the text, or its beginning if it is too long.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > mostBytes else { return text }
    var end = 0
    let beginning = text.unicodeScalars.prefix { scalar in
      end += UTF8.width(scalar)
      return end <= mostBytes - 3
    }
    return String(beginning) + "..."
  }
}
