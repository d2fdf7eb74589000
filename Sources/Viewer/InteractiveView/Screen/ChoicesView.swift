import TerminalUI
import ViewerConsole

/// The list above a prompt, which covers the lowest lines of the pane.
struct ChoicesView {
  let viewer: Viewer
  let layout: ViewLayout

  /// The lines, below one that separates them from the pane.
  var lines: [Line] {
    guard let choices = viewer.prompt?.choices, !choices.all.isEmpty else { return [] }
    // The first line of the screen and a part of the rest stay visible.
    let room = min(ChoiceList.maxRows, layout.footer / 2 - 1)
    guard room > 0 else { return [] }
    return [rule(choices)]
      + choices.shown(rows: room).map {
        line(choices.all[$0], isChosen: $0 == choices.chosen)
      }
  }

  private func rule(_ choices: ChoiceList) -> Line {
    let (page, width) = (viewer.page, viewer.terminal.columns)
    let count = CountText.number(choices.all.count)
    let position = " \(CountText.number(choices.chosen + 1)) of \(count) "
    let axis = page.glyphs.axis
    let room = max(0, width - DisplayWidth.columns(of: position) - 2)
    let text = String(repeating: axis, count: room) + position + axis + axis
    return Line(text, .dim).cut(to: width, ellipsis: page.glyphs.ellipsis)
  }

  private func line(_ choice: PromptChoice, isChosen: Bool) -> Line {
    let (page, width) = (viewer.page, viewer.terminal.columns)
    let note = page.cutMiddle(page.safe(choice.note), to: width / 2)
    let noteWidth = note.isEmpty ? 0 : DisplayWidth.columns(of: note) + 2
    let title = page.cutMiddle(page.safe(choice.title), to: max(1, width - noteWidth - 2))
    let text = DisplayWidth.pad(" " + title, to: max(1, width - noteWidth))
    let end = note.isEmpty ? "" : " \(note) "
    var line = Line(text, isChosen ? .reversed : .plain)
    line.append(end, isChosen ? .reversed : .dim)
    return line
  }
}
