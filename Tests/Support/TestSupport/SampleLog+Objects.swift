extension SampleLog {
  /// The log of a search for leaked objects: a cart on a cycle with a closure, three rows on cycles
  /// with their table, and an object that was retained by hand.
  package static let objects = objectLog([
    #"{"t":0,"event":"object","sub":1,"lane":"Cart","source":"Shop/Cart.swift:13","#
      + #""type":"Shop.Cart","count":1,"members":[{"name":"Cart","count":1,"bytes":40}],"held":["#
      + #"{"name":"Item","count":12,"bytes":480},{"name":"","count":1,"bytes":136}]}"#,
    #"{"t":0,"event":"retained","sub":1,"lane":"Cart","kind":"cycle","proof":"certain","break":1,"#
      + #""steps":[{"kind":"field","type":"Cart","name":"onChange","target":"closure","#
      + #""way":"closure"},{"kind":"closure","name":"self","holds":"Cart","way":"object","self":1,"#
      + #""at":"Shop/Cart.swift:13"}]}"#,
    #"{"t":0,"event":"object","sub":2,"lane":"Row","source":"Shop/Table.swift:5","#
      + #""type":"Shop.Row","count":3,"members":[{"name":"Row","count":3,"bytes":72},"#
      + #"{"name":"Table","count":3,"bytes":120}]}"#,
    #"{"t":0,"event":"retained","sub":2,"lane":"Row","kind":"cycle","proof":"certain","break":0,"#
      + #""steps":[{"kind":"field","type":"Row","name":"table","holds":"Table","#
      + #""way":"optional-reference"},{"kind":"field","type":"Table","name":"row","holds":"Row","#
      + #""way":"reference"}]}"#,
    #"{"t":0,"event":"object","sub":3,"lane":"Collage","source":"Shop/Collage.swift:9","#
      + #""type":"Shop.Collage","count":1,"members":[{"name":"Collage","count":1,"bytes":24}],"#
      + #""held":[{"name":"Photo","count":2,"bytes":96}]}"#,
  ])

  /// Returns the log of a search for leaked objects with some lines.
  package static func objectLog(_ lines: [String]) -> String {
    let last =
      #"{"t":0,"event":"end","searched":113192,"records":\#(lines.count + 1),"lost":0}"#
    return ([header] + lines + [last]).map { $0 + "\n" }.joined()
  }
}
