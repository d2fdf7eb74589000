import TerminalUI
import ViewerConsole

/// A self-contained page for a browser. Its content security policy prevents it from loading
/// anything else.
///
/// All text from logs is in one element with JSON, which the browser does not run. The script shows
/// it as text.
struct HTMLPage {
  /// The title of the browser tab.
  let title: String
  /// Valid JSON without `<`.
  let data: [UInt8]

  init(title: String, data: [UInt8]) {
    self.title = title
    self.data = data
  }

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
      \(HTMLPage.body)
      <script type="application/json" id="data">
      """)
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

  static let script = "'use strict';\n(() => {\n" + text(scripts) + "})();\n"

  /// The files in `Page`, in the order in which the browser runs them.
  private static let scripts = [
    PackageResources.model_js, PackageResources.format_js, PackageResources.packing_js,
    PackageResources.tasks_js, PackageResources.lanes_js, PackageResources.axis_js,
    PackageResources.view_js,
    PackageResources.details_js, PackageResources.graph_js, PackageResources.findings_js,
    PackageResources.tables_js, PackageResources.page_js,
  ]

  static let style =
    "\n"
    + text([
      PackageResources.base_css, PackageResources.timeline_css, PackageResources.tasks_css,
      PackageResources.findings_css, PackageResources.panel_css, PackageResources.graph_css,
    ])

  private static func text(_ files: [[UInt8]]) -> String {
    String(decoding: files.joined(), as: UTF8.self)
  }

  private static let body = """
    <noscript><p class="notice">This page needs its own script, but the browser does not allow \
    scripts. For a report without a script, run <code>trace-viewer report --format \
    markdown</code>.</p></noscript>
    <header id="head"></header>
    <main id="main">
    <section id="timeline" aria-labelledby="timeline-title">
    <div class="bar-of-tools">
    <h2 id="timeline-title">Timeline</h2>
    <label class="search"><span class="hidden">Search lanes</span>
    <input id="search" type="search" placeholder="Search lanes" autocomplete="off" \
    spellcheck="false">
    <output id="search-count" for="search"></output></label>
    <div class="buttons" role="group" aria-label="Zoom">
    <button id="zoom-out" type="button" aria-label="Zoom out" title="Zoom out (-)">&minus;</button>
    <button id="zoom-in" type="button" aria-label="Zoom in" title="Zoom in (+)">+</button>
    <button id="reset" type="button" title="Show all time (0)">Reset</button>
    </div>
    </div>
    <div id="plot" tabindex="0" role="group" aria-label="Timeline of subscriptions. Plus and minus \
    zoom, left and right move, up and down go from subscription to subscription, 0 shows all.">
    <div id="axis-row"><div class="corner"></div><div class="track"><svg id="axis" \
    aria-hidden="true"></svg></div></div>
    <svg id="grid" aria-hidden="true"></svg>
    <div id="lanes"></div>
    </div>
    <p id="legend"></p>
    <p id="hint" class="quiet"></p>
    </section>
    <section id="findings" aria-labelledby="findings-title"></section>
    <section id="lane-table" aria-labelledby="lane-table-title"></section>
    <section id="sub-table" aria-labelledby="sub-table-title"></section>
    </main>
    <aside id="details" aria-live="polite" aria-label="Details of a subscription" hidden></aside>
    """
}
