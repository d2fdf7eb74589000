import TraceAnalysis
import TraceFormat
import ViewerConsole

/// The list above the prompt of `:`, with everything that its text can mean.
struct Palette {
  let viewer: Viewer

  private var log: LogAnalysis { viewer.log }

  /// The maximum number of lines of the list.
  private static let maxCount = 50
  /// The numbers of lanes, of notes, and of places, that are compared with the text for each key:
  /// word by word, and only with the beginning of the name.
  private static let maxNames = (words: 4_000, beginnings: 100_000)
  private static let maxRecent = 3

  /// The commands with their help texts, without the one that opens the list.
  private static let commands = KeyTable.bindings.filter { $0.meaning != .command(.palette) }
    .map { (binding: $0, folded: Array($0.help.lowercased().utf8)) }

  func choices(for text: String) -> [PromptChoice] {
    let text = Self.trimmed(text)
    guard !text.isEmpty else { return recent + Self.commands.map { choice($0.binding) } }
    let numbered = subscriptions(text) + findings(text)
    let found = numbered + times(text) + named(text)
    guard found.isEmpty, let lane = Self.lane(after: text) else {
      return Array(found.prefix(Self.maxCount))
    }
    return Array(named(lane).prefix(Self.maxCount))
  }

  /// Returns the text after the word that a lane has in a filter, as in `lane:search`, or nil. Some
  /// users type the word here, too.
  private static func lane(after text: String) -> String? {
    guard let word = ["lane:", "lane "].first(where: { text.lowercased().hasPrefix($0) }) else {
      return nil
    }
    let lane = trimmed(String(text.dropFirst(word.count)))
    return lane.isEmpty ? nil : lane
  }

  /// Returns the reason that nothing matches.
  func problem(with text: String) -> String {
    let text = Self.trimmed(text)
    let shown = viewer.page.safe(text)
    if text.isEmpty {
      return "Type #7, 1.5s, 60%, +50ms, a lane, File.swift:26, a finding or a part of a command."
    }
    if Self.number(text) != nil { return "The log has no subscription \(shown)." }
    if text.hasPrefix("#") { return "Type the number of a subscription after '#', as in #7." }
    if case .problem(let sentence) = typedTime(text) {
      return sentence
    }
    let place = ObservedPlace(source: text)
    if place.line != nil, place.file?.contains(".") == true {
      return "No subscription was made or observed at \(shown)."
    }
    return "'\(shown)' is not a command, a lane, a place, a time, a finding or a number such as #7."
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  private var recent: [PromptChoice] {
    viewer.history[.command].suffix(Self.maxRecent).reversed().compactMap { entry in
      choices(for: entry).first.map {
        PromptChoice(title: $0.title, note: "recent", action: $0.action)
      }
    }
  }

  private func choice(_ binding: KeyTable.Binding) -> PromptChoice {
    let action: PromptChoice.Action =
      switch binding.meaning {
      case .command(let command): .command(command)
      case .pane(let pane): .pane(pane)
      }
    let names = binding.names(isASCII: viewer.page.glyphs.isASCII)
    return PromptChoice(title: binding.help, note: names, action: action)
  }

  // MARK: Kinds of targets

  private static func number(_ text: String) -> UInt64? {
    text.hasPrefix("#") ? UInt64(text.dropFirst()) : nil
  }

  private func subscriptions(_ text: String) -> [PromptChoice] {
    guard let number = Self.number(text), let id = SubscriptionID(number) else { return [] }
    return log.logs.indices.compactMap { log.index(of: id, log: $0) }.map { index in
      let lifecycle = log.lifecycles[index]
      let place = lifecycle.site.source.map { "  " + $0 } ?? ""
      return PromptChoice(
        title: log.name(of: lifecycle), note: lifecycle.site.lane + place,
        action: .subscription(index))
    }
  }

  /// Returns the finding with an id, or with the only id that begins so, even if the filter hides
  /// it.
  private func findings(_ text: String) -> [PromptChoice] {
    guard text.utf8.count >= 3,
      case let groups = viewer.viewed.verdict.groups.found(by: text), groups.count == 1,
      let group = groups.first
    else { return [] }
    let place = group.observed?.source ?? group.site.source
    return [
      PromptChoice(
        title: group.id.description, note: group.site.lane + (place.map { "  " + $0 } ?? ""),
        action: .finding(group.id))
    ]
  }

  private func typedTime(_ text: String) -> TypedTime? {
    TypedTime(text, in: log, from: viewer.timeline.cursor, viewer.page.duration)
  }

  private func times(_ text: String) -> [PromptChoice] {
    guard case .time(let time) = typedTime(text) else { return [] }
    return [PromptChoice(title: text, note: "time", action: .time(time))]
  }

  /// Returns the commands, lanes and places, with the best matches first.
  private func named(_ text: String) -> [PromptChoice] {
    let query = FuzzyQuery(text)
    var ranked = FuzzyQuery.Rank.allCases.map { _ in [PromptChoice]() }
    func offer(_ rank: FuzzyQuery.Rank?, _ choice: () -> PromptChoice) {
      guard let rank, ranked[rank.rawValue].count < Self.maxCount else { return }
      ranked[rank.rawValue].append(choice())
    }
    for (binding, folded) in Self.commands {
      offer(query.rank(of: folded)) { choice(binding) }
    }
    let names = viewer.viewed.names
    for (number, lane) in names.lanes.prefix(Self.maxNames.beginnings).enumerated() {
      offer(query.rank(of: lane.folded, beginningOnly: number >= Self.maxNames.words)) {
        PromptChoice(title: lane.text, note: "lane", action: .lane(lane.first))
      }
    }
    for (number, note) in viewer.shownNotes.prefix(Self.maxNames.beginnings).enumerated() {
      offer(query.rank(of: note.folded, beginningOnly: number >= Self.maxNames.words)) {
        let text = viewer.page.beginning(note.text, Prompt.longest)
        return PromptChoice(title: text, note: "note", action: .time(note.time))
      }
    }
    let end = Array("/\(text.lowercased())".utf8)
    for (number, place) in names.places.prefix(Self.maxNames.beginnings).enumerated() {
      // A place without its folders is as good as the whole one.
      let isWhole = place.folded.suffix(end.count).elementsEqual(end)
      let isLate = number >= Self.maxNames.words
      offer(isWhole ? .whole : query.rank(of: place.folded, beginningOnly: isLate)) {
        let name = log.title(of: log.lifecycles[place.first])
        return PromptChoice(
          title: place.text, note: "place of \(name)", action: .subscription(place.first))
      }
    }
    // Letters in order match too much to be listed next to better matches.
    let better = ranked.dropLast().flatMap(\.self)
    return better.isEmpty ? ranked.last ?? [] : better
  }
}
