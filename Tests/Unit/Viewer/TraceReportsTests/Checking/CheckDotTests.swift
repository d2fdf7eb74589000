import TestSupport
import Testing

@testable import TraceReports
@testable import ViewerConsole

@Suite("Findings as text for Graphviz")
struct CheckDotTests {
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
  }

  private func dot(_ log: String) throws -> [String] {
    lines(try writeCheck(.dot, ofText: log))
  }

  @Test("A cycle is a ring whose edges have the fields, and the edge to break is bold and red")
  func cycle() throws {
    let lines = try dot(SampleLog.objects)
    #expect(lines.first == "digraph \"trace-viewer\" {" && lines.last == "}")
    #expect(lines.count { $0.hasPrefix("subgraph \"cluster_") } == 3)
    #expect(lines.contains(#"f0s0 [shape=ellipse, label="Cart"];"#))
    #expect(lines.contains(#"f0s1 [shape=box, style=rounded, label="closure at Cart.swift:13"];"#))
    #expect(lines.contains(#"f0s0 -> f0s1 [label=".onChange"];"#))
    let marked =
      #"f0s1 -> f0s0 [label="captures self\nbreak it here", color=red, fontcolor=red, "#
      + "style=bold, penwidth=2.5];"
    #expect(lines.contains(marked))
    #expect(lines.count { $0.contains("break it here") } == 2)
  }

  @Test("What a cycle keeps alive is in boxes with counts and bytes")
  func held() throws {
    let lines = try dot(SampleLog.objects)
    #expect(lines.contains(#"f0h0 [shape=box, style=solid, label="12 × Item\n480 bytes"];"#))
    #expect(lines.contains(#"f0h1 [shape=box, style=solid, label="1 × memory\n136 bytes"];"#))
    #expect(lines.contains("f0s0 -> f0h1 [style=dashed, arrowhead=open];"))
    #expect(lines.contains(#"f2m0 [shape=box, style=bold, label="1 × Collage\n24 bytes"];"#))
    #expect(lines.contains("f2m0 -> f2h0 [style=dashed, arrowhead=open];"))
  }

  @Test("Many classes are one box, and long cycles leave out steps")
  func limits() throws {
    let held = (0..<20).map { #"{"name":"C\#($0)","count":1,"bytes":10}"# }.joined(separator: ",")
    let steps = (0..<50).map {
      #"{"kind":"field","type":"T\#($0)","name":"next","holds":"T","way":"reference"}"#
    }.joined(separator: ",")
    let lines = try dot(
      SampleLog.objectLog([
        #"{"t":0,"event":"object","sub":1,"lane":"T0","count":1,"members":[],"held":[\#(held)]}"#,
        #"{"t":0,"event":"retained","sub":1,"lane":"T0","kind":"cycle","proof":"certain","#
          + #""break":49,"steps":[\#(steps)]}"#,
      ]))
    #expect(lines.contains(#"f0h12 [shape=box, style=solid, label="8 other classes\n80 bytes"];"#))
    #expect(lines.count { $0.contains("shape=plaintext") && $0.contains("more steps") } == 1)
    #expect(lines.contains { $0.hasPrefix("f0s49 -> f0s0 [") && $0.contains("color=red") })
    // Each edge begins and ends at a node.
    let nodes = Set(lines.compactMap { $0.split(separator: " ").first.map(String.init) })
    for line in lines where line.contains(" -> f") {
      let words = line.split { " ;".contains($0) }
      #expect(nodes.contains(String(words[0])) && nodes.contains(String(words[2])), "\(line)")
    }
  }

  @Test("The tail of a cycle leaves the ring at its end, and a path has no edge back")
  func tails() throws {
    func log(_ retained: String) -> String {
      SampleLog.make([
        SampleLog.subscribe(1, "results", at: 0),
        #"{"t":1,"event":"retained","sub":1,"lane":"results","proof":"certain",\#(retained)}"#,
      ])
    }
    let steps =
      #""steps":[{"kind":"field","type":"A","name":"b","holds":"B","way":"reference"},"#
      + #"{"kind":"field","type":"B","name":"a","holds":"A","way":"reference"},"#
      + #"{"kind":"subscription","name":"results","sub":1}]"#
    let cycle = try dot(log(#""kind":"cycle","tail":1,"# + steps))
    let edges = cycle.filter { $0.contains(" -> ") }
    #expect(
      edges == [
        #"f0s0 -> f0s1 [label=".b"];"#, "f0s1 -> f0s2;", #"f0s1 -> f0s0 [label=".a"];"#,
      ])
    // The log has no name for what a subscription holds.
    let ring = try dot(log(#""kind":"cycle","break":0,"# + steps))
    #expect(ring.contains("f0s2 -> f0s0;"))
    #expect(!ring.contains { $0.contains("?") })
    let path = try dot(log(#""kind":"path","# + steps))
    #expect(
      path.filter { $0.contains(" -> ") } == [
        #"f0s0 -> f0s1 [label=".b"];"#, #"f0s1 -> f0s2 [label=".a"];"#,
      ])
  }

  @Test("Hostile names can't end a string of Graphviz or begin an escape sequence")
  func hostile() throws {
    let name = #"\"];x->y\\N&lt;\n\\"#
    let text = try writeCheck(
      .dot,
      ofText: SampleLog.objectLog([
        #"{"t":0,"event":"object","sub":1,"lane":"\#(name)","count":1,"members":["#
          + #"{"name":"\#(name)","count":1,"bytes":1}],"held":[]}"#
      ]))
    let box = try #require(lines(text).first { $0.hasPrefix("f0m0 ") })
    #expect(box.contains(#"1 × \"];x->y\\N&amp;lt;"#))
    for line in lines(text) {
      // A quote without a backslash begins or ends a string.
      let quotes = line.replacing("\\\\", with: "").replacing("\\\"", with: "").count { $0 == "\"" }
      #expect(quotes % 2 == 0, "\(line)")
    }
  }

  @Test("A finding without a graph is one node")
  func plain() throws {
    let lines = try dot(SampleLog.leak)
    #expect(lines.contains(#"f0s0 [label="request"];"#))
    #expect(!lines.contains { $0.contains(" -> ") })
  }
}
