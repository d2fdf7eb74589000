/// Logs with explanations of what keeps subscriptions alive.
package enum RetainedLog {
  /// Returns the record of why a subscription is alive, with facts.
  ///
  /// - Parameter steps: The JSON objects in the list of steps.
  package static func facts(
    _ id: Int, at time: Int, kind: String = "cycle", steps: String, _ more: String = ""
  ) -> String {
    #"{"t":\#(time),"event":"retained","sub":\#(id),"lane":"l\#(id)","kind":"\#(kind)","#
      + #""proof":"certain","steps":[\#(steps)]\#(more)}"#
  }

  /// Returns the same record with sentences, as in minor version 0 of the format.
  package static func retained(
    _ id: Int, at time: Int, kind: String = "cycle", path: [String] = [], _ more: String = ""
  ) -> String {
    let steps = path.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"t":\#(time),"event":"retained","sub":\#(id),"lane":"l\#(id)","kind":"\#(kind)","#
      + #""proof":"certain","path":[\#(steps)]\#(more)}"#
  }

  /// The log of a screen that two subscriptions keep alive, as the bundled sample writes it.
  package static let screen: String = {
    var lines: [String] = []
    for (first, start) in [(1, 645_740), (4, 3_548_392_198)] {
      for (offset, lane) in ["search.results", "search.query", "search.keystrokes"].enumerated() {
        let parent = offset > 0 ? #","parent":\#(first + offset - 1)"# : ""
        lines.append(
          SampleLog.subscribe(
            first + offset, lane, at: start + offset, line: 50 - offset,
            parent + #","observed":"call.1""#))
      }
      for element in 0..<5 {
        lines.append(
          SampleLog.next(first, "search.results", at: start + 1000 + element, "\(first)\(element)"))
      }
    }
    for id in [1, 4] {
      lines.append(
        retained(
          id, at: 5_161_000_000,
          path: [
            "closure at SearchScreen.swift:26", "SearchScreen.bag",
            "subscription of search.results",
          ],
          ##","details":["captures self strongly","DisposeBag","#\##(id)"],"##
            + #""sites":["Sample/SearchScreen.swift:26","",""],"tail":0,"break":0,"#
            + #""advice":"Capture self weakly: [weak self].","holder":"It is in the bag.""#))
    }
    lines.append(
      #"{"t":5161000001,"event":"place","lane":"call.1","source":"Sample/SearchScreen.swift:26","#
        + #""function":"SearchScreen.init(field:)"}"#)
    return SampleLog.make(lines, end: 5_161_979_968)
  }()
}
