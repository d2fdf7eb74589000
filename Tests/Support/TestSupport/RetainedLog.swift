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

  /// Returns the same record, with steps that have only a name.
  package static func retained(
    _ id: Int, at time: Int, kind: String = "cycle", path: [String] = [], _ more: String = ""
  ) -> String {
    facts(id, at: time, kind: kind, steps: path.map(named).joined(separator: ","), more)
  }

  /// Returns a step that has only a name, as one of an unknown kind.
  package static func named(_ name: String) -> String { #"{"name":"\#(name)"}"# }

  /// Returns a step of a closure that captures `self`.
  package static func closure(_ type: String, at site: String) -> String {
    #"{"kind":"closure","name":"self","holds":"\#(type)","way":"object","self":1,"at":"\#(site)"}"#
  }

  /// Returns a step of a property.
  package static func field(
    _ type: String, _ name: String, _ content: String, _ way: String, at site: String? = nil
  ) -> String {
    let place = site.map { #","at":"\#($0)""# } ?? ""
    return #"{"kind":"field","type":"\#(type)","name":"\#(name)","holds":"\#(content)","#
      + #""way":"\#(way)"\#(place)}"#
  }

  package static func subscription(_ lane: String, _ id: Int) -> String {
    #"{"kind":"subscription","name":"\#(lane)","sub":\#(id)}"#
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
      let steps = [
        closure("SearchScreen", at: "Sample/SearchScreen.swift:26"),
        field("SearchScreen", "bag", "DisposeBag", "bag"), subscription("search.results", id),
      ]
      lines.append(
        facts(
          id, at: 5_161_000_000, steps: steps.joined(separator: ","),
          #","tail":0,"break":0,"owner":"bag""#))
    }
    lines.append(
      #"{"t":5161000001,"event":"place","lane":"call.1","source":"Sample/SearchScreen.swift:26","#
        + #""function":"SearchScreen.init(field:)"}"#)
    return SampleLog.make(lines, end: 5_161_979_968)
  }()
}
