import HeapGraph
import ProcessMemory

/// What identifies references in each run of a program. Addresses don't.
struct ReferenceNames {
  private let ofCode: (_ address: UInt) -> String
  private let ofTask: (_ node: Int) -> String

  /// - Parameters:
  ///   - ofCode: Returns the name of the closure at an address.
  ///   - ofTask: Returns where the task of a node waits.
  init(
    ofCode: @escaping (_ address: UInt) -> String, ofTask: @escaping (_ node: Int) -> String
  ) {
    self.ofCode = ofCode
    self.ofTask = ofTask
  }

  private struct Name: Hashable, Comparable {
    let owner: String
    let field: String
    let code: String

    static func < (left: Name, right: Name) -> Bool {
      (left.owner, left.field, left.code) < (right.owner, right.field, right.code)
    }
  }

  /// Returns a number for each edge of some nodes. Numbers are equal if the names are, and in their
  /// order otherwise.
  func labels(of lists: [(node: Int, edges: [UnreachableGraph.Edge])], in graph: UnreachableGraph)
    -> [[Int]]
  {
    var codes: [UInt: String] = [0: ""]
    let names = lists.map { node, edges in
      let type = graph.nodes[node].type
      let owner = (type?.fullName ?? "") + (type?.kind == .task ? ofTask(node) : "")
      return edges.map { edge in
        let code = codes[edge.code] ?? ofCode(edge.code)
        codes[edge.code] = code
        return Name(owner: owner, field: Self.place(of: edge, in: type), code: code)
      }
    }
    let order = Dictionary(
      Set(names.joined()).sorted().enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first })
    return names.map { $0.map { order[$0] ?? 0 } }
  }

  /// Returns the text of the place of a reference in an object, or an empty text if it depends on
  /// the run, like those of elements of a set and of words in frames.
  private static func place(
    of edge: UnreachableGraph.Edge, in type: ObjectTypes.Description?
  ) -> String {
    switch type?.kind {
    case .instance:
      type.flatMap { UnreachableGraph.field(at: edge.offset, in: $0) }
        .map { "\($0.owner).\($0.name) \(edge.offset - $0.offset)" } ?? ""
    case .closure, .box, .errorBox: "\(edge.offset)"
    case .array, .dictionary, .set, .task, nil: ""
    }
  }
}
