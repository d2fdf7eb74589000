import TerminalUI
import ViewerConsole

/// The notes of a user in an HTML report, as plain HTML.
struct HTMLNotes {
  let notes: [ReportNote]

  func write(_ html: inout HTMLWriter) {
    guard !notes.isEmpty else { return }
    let page = Page(width: .max / 2, glyphs: .unicode)
    html.element("h2", ["id": "notes-title"]) { html in
      html.text("Notes ")
      html.element("span", ["class": "quiet"], text: CountText.number(notes.count))
    }
    html.element("ul", ["id": "notes"]) { html in
      for note in notes {
        html.element("li") { html in
          html.element("span", ["class": "quiet"], text: page.duration(note.time) + " ")
          html.text(page.safe(note.text))
        }
      }
    }
  }
}
