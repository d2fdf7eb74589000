import TerminalUI
import TraceAnalysis
import TraceWords
import ViewerConsole

// Typing into a prompt.
extension Viewer {
  mutating func ask(_ purpose: Prompt.Purpose, text: String = "") {
    prompt = Prompt(purpose, text: text)
    if purpose == .search { search.begin() }
    offerChoices()
  }

  mutating func type(_ press: KeyPress) -> [Effect] {
    let isPalette = prompt?.purpose == .command
    switch (press.key, press.modifiers) {
    case (.escape, _): return cancel()
    case (.function(1), _) where prompt?.purpose.isQuery == true: help.show(isAboutQueries: true)
    case (.enter, _): return enter()
    case (.tab, []): return complete(backward: false)
    case (.tab, .shift): return complete(backward: true)
    case (.up, []) where isPalette, (.down, []) where isPalette:
      let chosen = prompt?.choices.chosen ?? 0
      prompt?.choices.choose(chosen + (press.key == .up ? -1 : 1))
    case (.up, []), (.character("p"), .control): return recall(older: true)
    case (.down, []), (.character("n"), .control): return recall(older: false)
    case (.backspace, _) where prompt?.text.isEmpty == true: return cancel()
    default:
      let before = prompt?.text
      if prompt?.edit(press) == true, prompt?.text != before { return follow() }
    }
    return []
  }

  /// Closes the prompt without doing anything.
  private mutating func cancel() -> [Effect] {
    defer { close() }
    guard prompt?.purpose == .search, prompt?.text.isEmpty == false else { return [] }
    search.cancel(outline)
    return [.stopSearch]
  }

  private mutating func close() {
    prompt = nil
    panes.peek(nil)
  }

  /// Shows what the changed text of the prompt means.
  mutating func follow() -> [Effect] {
    offerChoices()
    return searchWhileTyping()
  }

  /// Updates the list above the prompt of `:` after the text or the log has changed.
  mutating func offerChoices() {
    guard let prompt, prompt.purpose == .command else { return }
    let choices = Palette(viewer: self).choices(for: prompt.text)
    self.prompt?.choices = ChoiceList(choices)
  }

  private mutating func recall(older: Bool) -> [Effect] {
    guard let kind = prompt?.purpose.kind else { return [] }
    let entries = history[kind]
    prompt?.recall(older: older, entries)
    return follow()
  }

  private mutating func complete(backward: Bool) -> [Effect] {
    guard let prompt else { return [] }
    if prompt.purpose == .command {
      if let choice = prompt.choices.selected { self.prompt?.take(choice) }
      return follow()
    }
    let completions = Completions(viewed)
    let isDone = self.prompt?.complete(backward: backward) { before in
      completions.of(before, prompt.purpose.kind)
    }
    guard isDone == true else {
      self.prompt?.problem = "nothing to complete"
      return []
    }
    return searchWhileTyping()
  }

  private mutating func enter() -> [Effect] {
    guard let prompt else { return [] }
    switch prompt.purpose {
    case .command: return run(prompt)
    case .search, .filter:
      do throws(QueryError) {
        return take(try Query(prompt.text), prompt)
      } catch {
        self.prompt?.problem = error.sentence
        return []
      }
    case .export(_, let members): return export(prompt, members)
    case .note(let time, _):
      accept(prompt)
      return note(prompt.text, at: time)
    }
  }

  /// Searches for a query, or uses it as the filter.
  private mutating func take(_ query: Query, _ prompt: Prompt) -> [Effect] {
    accept(prompt)
    guard prompt.purpose == .filter else { return search(for: query) }
    feed.suspended = nil
    return arrange { $0.filter.query = query }
  }

  /// Closes the prompt and remembers its text.
  mutating func accept(_ prompt: Prompt) {
    history.add(prompt.text, prompt.purpose.kind)
    close()
  }

  /// Does what the chosen line of the list says.
  private mutating func run(_ prompt: Prompt) -> [Effect] {
    guard let choice = prompt.choices.selected, let action = choice.action else {
      let problem = Palette(viewer: self).problem(with: prompt.text)
      self.prompt?.problem = problem
      return []
    }
    history.add(choice.title, .command)
    close()
    switch action {
    case .command(let command): return perform(command)
    case .pane(let pane): show(pane)
    case .subscription(let index): go(to: index)
    case .lane(let index):
      go(to: index)
      if timeline.chosen == index { timeline.listLane() }
    case .finding(let id): go(to: id)
    case .time(let time): point(to: time)
    }
    return []
  }
}
