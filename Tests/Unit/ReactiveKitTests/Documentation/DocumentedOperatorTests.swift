import Testing

/// The operators in the sources, compared with the pages about them.
@Suite("The documentation of the operators")
struct DocumentedOperatorTests {
  /// Methods that every signal type has, which the operator pages don't list.
  private static let basic: Set = ["Signal/observe(with:)"]

  private func operators() throws -> [String: [OperatorDeclaration]] {
    let operators = try OperatorDeclaration.all().filter { !Self.basic.contains($0.symbol) }
    // Checks that the pattern still finds operators.
    #expect(operators.count > 200)
    return Dictionary(grouping: operators, by: \.symbol)
  }

  /// Returns a listed symbol without the suffix that distinguishes overloads.
  private func withoutSuffix(_ symbol: String) -> String {
    symbol.replacing(#/\)-\w+$/#, with: ")")
  }

  @Test("The documentation lists each overload of each operator on exactly one page")
  func listed() throws {
    let symbols = try DocumentationPage.all().flatMap(\.listedSymbols)
    #expect(Dictionary(grouping: symbols, by: \.self).filter { $1.count > 1 }.keys.sorted() == [])
    let listed = Dictionary(grouping: symbols, by: withoutSuffix)
    // DocC can't list extensions of types from other modules.
    for (symbol, overloads) in try operators() where overloads[0].owner != "AsyncSequence" {
      #expect(listed[symbol, default: []].count == overloads.count, "\(symbol)")
    }
  }

  @Test("The documentation describes operators that DocC can't list")
  func unlisted() throws {
    let page = try #require(
      try DocumentationPage.all().first { $0.name == "SignalsAndConcurrency" })
    let unlisted = try operators().values.compactMap(\.first).filter { $0.owner == "AsyncSequence" }
    #expect(!unlisted.isEmpty)
    for declaration in unlisted {
      #expect(page.headings.contains { $0.contains(declaration.mention) })
    }
  }

  @Test("The documentation describes each operator on the page that lists it")
  func described() throws {
    let operators = try operators()
    for page in try DocumentationPage.all() {
      let text = page.codeSpans.joined(separator: "\n")
      for symbol in Set(page.listedSymbols.map(withoutSuffix)) {
        guard let declaration = operators[symbol]?.first else { continue }
        let words = declaration.mention.split(separator: "(").joined(separator: " ")
        #expect(
          page.headings.contains { $0.contains(words) } || text.contains(declaration.mention),
          "\(page.name) does not describe \(symbol).")
      }
    }
  }

  @Test("The list of operators by goal contains every operator")
  func byGoal() throws {
    let page = try #require(try DocumentationPage.all().first { $0.name == "OperatorsByGoal" })
    let spans = page.codeSpans
    for declaration in try operators().values.compactMap(\.first) {
      #expect(
        spans.contains { $0 == declaration.mention || $0.hasPrefix(declaration.mention + "(") }
          || declaration.mention.contains("(")
            && spans.contains { $0.hasPrefix(declaration.mention) },
        "\(declaration.symbol)")
    }
  }

  @Test("Operator declarations are read from a source file")
  func reading() {
    let source = """
      extension SignalProtocol where Error == Never {
        /// A comment.
        public func merge<O: SignalProtocol>(\
      with other: O, _ map: @escaping (A<B, C>, B) -> C = { _ in x })
          -> Signal<Element, O.Error>
        public func `repeat`<O: SignalProtocol>(when other: @escaping (Element) -> O)
        public func _hidden() {}
        func internalOne() {}
      }
      extension Signal {
        public init<S: Sequence>(
          sequence: S, interval: Double,
          queue: DispatchQueue = DispatchQueue(label: "queue")
        )
      }
      public final class Other {
        public func first() {}
      }
      public func zip<A: SignalProtocol>(
        _ a: A, combine: (A) -> B
      ) {}
      """
    #expect(
      OperatorDeclaration.read(source).map(\.symbol) == [
        "SignalProtocol/merge(with:_:)", "SignalProtocol/repeat(when:)",
        "Signal/init(sequence:interval:queue:)", "zip(_:combine:)",
      ])
  }
}
