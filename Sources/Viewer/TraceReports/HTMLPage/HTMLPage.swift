import CViewer.Page
import TerminalUI
import ViewerConsole

/// A self-contained page for a browser. Its content security policy prevents it from loading
/// anything else.
///
/// The head and the findings are plain HTML, because some services forbid scripts in the reports
/// that they show. Everything else is in one element with JSON, which the browser does not run. The
/// script shows it as text.
struct HTMLPage {
  /// The state of the timeline and the tables of lanes and subscriptions.
  enum Timeline {
    case shown
    /// A sentence replaces the timeline and the tables.
    case replaced(String)
    case hidden
  }

  /// The title of the browser tab.
  let title: String
  let head: [UInt8]
  let findings: [UInt8]
  let timeline: Timeline
  /// Valid JSON without `<`.
  let data: [UInt8]

  func write(to output: Output) {
    output.write(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(HTMLPage.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="\(ProgramInfo.name) \(ProgramInfo.version)">
      <title>\(Escaping.htmlText(title))</title>
      <style>\(HTMLPage.style)</style>
      </head>
      <body>
      <header id="head">
      """)
    output.write(head)
    output.write("\n\(HTMLPage.search)</header>\n<main id=\"main\">\n")
    output.write("<p id=\"link-notice\" class=\"notice\" role=\"alert\" hidden></p>\n")
    output.write("<section id=\"findings\" aria-labelledby=\"findings-title\">\n")
    output.write(findings)
    output.write("\n</section>\n\(sections)\n</main>\n\(HTMLPage.panel)\n")
    output.write("<script type=\"application/json\" id=\"data\">\n")
    output.write(data)
    output.write("</script>\n<script>\(HTMLPage.script)</script>\n</body>\n</html>\n")
  }

  /// The content security policy, which allows only this script and this style.
  private static let policy = [
    "default-src 'none'", "script-src '\(source(script))'", "style-src '\(source(style))'",
    "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")

  private static func source(_ text: String) -> String {
    "sha256-" + Base64.text(SHA256.digest(Array(text.utf8)))
  }

  static let script = "'use strict';\n(() => {\n" + text(page_script()) + "})();\n"

  static let style = "\n" + text(page_style())

  private static func text(_ text: page_text) -> String {
    String(decoding: UnsafeBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
  }

  private var sections: String {
    switch timeline {
    case .shown:
      """
      <section id="timeline" aria-labelledby="timeline-title">
      \(HTMLPage.plot)
      </section>
      <section id="lane-table" aria-labelledby="lane-table-title"></section>
      <section id="sub-table" aria-labelledby="sub-table-title"></section>
      """
    case .replaced(let sentence):
      """
      <section id="timeline"><p class="notice">\(Escaping.htmlText(sentence))</p></section>
      <section id="lane-table" hidden></section>
      <section id="sub-table" hidden></section>
      """
    case .hidden:
      """
      <section id="timeline" hidden></section>
      <section id="lane-table" hidden></section>
      <section id="sub-table" hidden></section>
      """
    }
  }

  /// The search, which the script shows.
  private static let search = """
    <div class="search" role="search" hidden>
    <label class="hidden" for="search">Search findings, lanes, values and subscriptions</label>
    <input id="search" type="search" placeholder="Search findings, lanes and values (/)" \
    autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" \
    aria-controls="results" aria-autocomplete="list">
    <output id="search-count" for="search"></output>
    <div id="results" role="listbox" aria-label="Results" hidden></div>
    </div>
    """

  private static let plot = """
    <div class="bar-of-tools">
    <h2 id="timeline-title">Timeline</h2>
    <div class="buttons" role="group" aria-label="Zoom" hidden>
    <button id="busiest" type="button" title="Show the time with the most events">Busiest time\
    </button>
    <button id="longest" type="button" title="Show the subscription with the longest life">\
    Longest life</button>
    <button id="zoom-out" type="button" aria-label="Zoom out" title="Zoom out (-)">&minus;</button>
    <button id="zoom-in" type="button" aria-label="Zoom in" title="Zoom in (+)">+</button>
    <button id="reset" type="button" title="Show all time (0)">Reset</button>
    </div>
    </div>
    <p id="no-script" class="notice">The timeline, the tables of lanes and subscriptions, and the \
    search need the script of this page, which the browser does not run here. To see them, save \
    the page and open the file. The findings are complete without them.</p>
    <details id="legend" hidden><summary>Signs and colors</summary></details>
    <p id="hint" class="quiet"></p>
    <div id="overview" hidden>
    <div class="label"><p id="at-cursor"></p><p id="overview-key" class="quiet"></p></div>
    <div class="track"><svg id="strip" role="img" aria-labelledby="strip-name"><title \
    id="strip-name">Live subscriptions and events of the whole log</title></svg></div>
    </div>
    <p id="totals" role="status" class="quiet"></p>
    <div id="plot" tabindex="0" role="group" hidden aria-label="Timeline of subscriptions. Plus \
    and minus zoom, left and right move, up and down go from subscription to subscription, 0 shows \
    all.">
    <div id="rows">
    <div id="axis-row"><div class="corner"></div><div class="track"><svg id="axis" \
    aria-hidden="true"></svg></div></div>
    <svg id="grid" aria-hidden="true"></svg>
    <div id="cursor" hidden></div>
    <div id="lanes"></div>
    </div>
    </div>
    """

  private static let panel = """
    <aside id="details" aria-live="polite" aria-label="Details of a subscription" hidden></aside>
    """
}
