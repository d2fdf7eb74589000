extension ObjectCase {
  /// Graphs of many objects, and mistakes that are made several times.
  static var graphLeaks: [ObjectCase] {
    [
      .leak("self-cycle", .cycle(["Myself.me"], leaked: ["Myself": 1])) {
        let myself = Myself()
        myself.me = myself
      },
      .leak(
        "ring-of-ten",
        .cycle(Array(repeating: "RingNode.next", count: 10), leaked: ["RingNode": 10])
      ) {
        let nodes = (0..<10).map { _ in RingNode() }
        for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % nodes.count] }
      },
      .leak(
        "tuple-with-pointer",
        .cycle(["PairNode.pair", "PairNode.pair"], leaked: ["PairNode": 2])
      ) {
        let nodes = [PairNode(), PairNode()]
        nodes[0].pair.1 = nodes[1]
        nodes[1].pair.1 = nodes[0]
      },
      .leak(
        "two-cycles-share-an-object",
        .cycle(
          ["Center.left", "LeftWing.center"], or: ["Center.right", "RightWing.center"],
          leaked: ["Center": 1, "LeftWing": 1, "RightWing": 1])
      ) {
        let center = Center()
        center.left = LeftWing(center)
        center.right = RightWing(center)
      },
      .leak(
        "tree-on-a-cycle",
        .cycle(
          ["Forest.ranger", "Ranger.forest"], leaked: ["Forest": 1, "Ranger": 1, "Leaf": 1000])
      ) {
        let forest = Forest()
        forest.ranger = Ranger(forest)
        forest.roots = makeTree()
      },
      .leak(
        "doubly-linked-list",
        .cycle(["ListNode.next", "ListNode.previous"], leaked: ["ListNode": 5])
      ) {
        var last = ListNode()
        for _ in 0..<4 {
          let node = ListNode()
          last.next = node
          node.previous = last
          last = node
        }
      },
      .leak(
        "one-mistake-50-times",
        .cycle(["Cell.onTap", "closure.self"], leaked: ["Cell": 50], times: 50)
      ) {
        for _ in 0..<50 { Cell().setUp() }
      },
      .leaks(
        "two-mistakes",
        .cycle(["Painter.brush", "Brush.painter"], leaked: ["Painter": 1, "Brush": 1]),
        .cycle(["Singer.song", "Song.singer"], leaked: ["Singer": 3, "Song": 3], times: 3)
      ) {
        let painter = Painter()
        painter.brush = Brush(painter)
        for _ in 0..<3 {
          let singer = Singer()
          singer.song = Song(singer)
        }
      },
      .leak(
        "field-of-superclass",
        .cycle(["Vehicle.driver", "Driver.vehicle"], leaked: ["Truck": 1, "Driver": 1])
      ) {
        let truck = Truck()
        truck.driver = Driver(truck)
      },
      .leak(
        "field-of-subclass",
        .cycle(["Plane.pilot", "Pilot.plane"], leaked: ["Plane": 1, "Pilot": 1])
      ) {
        let plane = Plane()
        plane.pilot = Pilot(plane)
      },
      // The cycle holds an object that is also in a global variable.
      .leak(
        "cycle-holds-reachable-object",
        .cycle(["Office.clerk", "Clerk.office"], leaked: ["Office": 1, "Clerk": 1]),
        alive: ["Archive": 1]
      ) {
        let office = Office(archive: Archive.shared)
        office.clerk = Clerk(office)
      },
      // One ring is leaked, and a similar one is in a global variable.
      .leak(
        "cycle-with-reachable-twin",
        .cycle(["Twin.other", "Twin.other"], leaked: ["Twin": 2]), alive: ["Twin": 2]
      ) {
        for isLeaked in [true, false] {
          let twin = Twin()
          twin.other = Twin()
          twin.other?.other = twin
          if !isLeaked { Twin.known = twin }
        }
        precondition(opaque(Twin.known) != nil)
      },
      .leak(
        "chain-to-a-cycle",
        .cycle(["Loop.next"], leaked: ["Loop": 1, "Tail": 20])
      ) {
        let loop = Loop()
        loop.next = loop
        var last: Tail?
        for _ in 0..<20 { last = Tail(next: last) }
        loop.tail = last
      },
      .leak(
        "complete-graph",
        // Cycles of up to six objects are right.
        .cycle(
          Array(repeating: "Peer.peers", count: 2), or: Array(repeating: "Peer.peers", count: 3),
          Array(repeating: "Peer.peers", count: 4), Array(repeating: "Peer.peers", count: 5),
          Array(repeating: "Peer.peers", count: 6), leaked: ["Peer": 6])
      ) {
        let peers = (0..<6).map { _ in Peer() }
        for peer in peers { peer.peers = peers.filter { $0 !== peer } }
      },
    ]
  }
}

private final class Myself {
  var me: Myself?

  init() { Life.begin(self, "Myself") }
  deinit { Life.end("Myself") }
}

private final class PairNode {
  var pair: (UnsafeRawPointer?, PairNode?) = (nil, nil)

  init() { Life.begin(self, "PairNode") }
  deinit { Life.end("PairNode") }
}

private final class RingNode {
  var next: RingNode?

  init() { Life.begin(self, "RingNode") }
  deinit { Life.end("RingNode") }
}

private final class Center {
  var left: LeftWing?
  var right: RightWing?

  init() { Life.begin(self, "Center") }
  deinit { Life.end("Center") }
}

private final class LeftWing {
  private let center: Center

  init(_ center: Center) {
    self.center = center
    Life.begin(self, "LeftWing")
  }
  deinit { Life.end("LeftWing") }
}

private final class RightWing {
  private let center: Center

  init(_ center: Center) {
    self.center = center
    Life.begin(self, "RightWing")
  }
  deinit { Life.end("RightWing") }
}

private final class Forest {
  var ranger: Ranger?
  var roots: [Leaf] = []

  init() { Life.begin(self, "Forest") }
  deinit { Life.end("Forest") }
}

private final class Ranger {
  private let forest: Forest

  init(_ forest: Forest) {
    self.forest = forest
    Life.begin(self, "Ranger")
  }
  deinit { Life.end("Ranger") }
}

private final class Leaf {
  var children: [Leaf]

  init(children: [Leaf]) {
    self.children = children
    Life.begin(self, "Leaf")
  }
  deinit { Life.end("Leaf") }
}

/// Returns ten trees of 100 objects: ten branches with nine children, and their parent.
private func makeTree() -> [Leaf] {
  (0..<10).map { _ in
    let branches = (0..<9).map { _ in Leaf(children: (0..<10).map { _ in Leaf(children: []) }) }
    return Leaf(children: branches)
  }
}

private final class ListNode {
  var next: ListNode?
  var previous: ListNode?

  init() { Life.begin(self, "ListNode") }
  deinit { Life.end("ListNode") }
}

private final class Cell {
  private var onTap: (() -> Void)?
  private var taps = 0

  init() { Life.begin(self, "Cell") }
  deinit { Life.end("Cell") }

  func setUp() {
    onTap = { self.taps += 1 }  // closure: one-mistake-50-times
  }
}

private final class Painter {
  var brush: Brush?

  init() { Life.begin(self, "Painter") }
  deinit { Life.end("Painter") }
}

private final class Brush {
  private let painter: Painter

  init(_ painter: Painter) {
    self.painter = painter
    Life.begin(self, "Brush")
  }
  deinit { Life.end("Brush") }
}

private final class Singer {
  var song: Song?

  init() { Life.begin(self, "Singer") }
  deinit { Life.end("Singer") }
}

private final class Song {
  private let singer: Singer

  init(_ singer: Singer) {
    self.singer = singer
    Life.begin(self, "Song")
  }
  deinit { Life.end("Song") }
}

private class Vehicle {
  var driver: Driver?
}

private final class Truck: Vehicle {
  override init() {
    super.init()
    Life.begin(self, "Truck")
  }
  deinit { Life.end("Truck") }
}

private final class Driver {
  private let vehicle: Vehicle

  init(_ vehicle: Vehicle) {
    self.vehicle = vehicle
    Life.begin(self, "Driver")
  }
  deinit { Life.end("Driver") }
}

private class Aircraft {
  var wings = 2
}

private final class Plane: Aircraft {
  var pilot: Pilot?

  override init() {
    super.init()
    Life.begin(self, "Plane")
  }
  deinit { Life.end("Plane") }
}

private final class Pilot {
  private let plane: Aircraft

  init(_ plane: Aircraft) {
    self.plane = plane
    Life.begin(self, "Pilot")
  }
  deinit { Life.end("Pilot") }
}

private final class Archive {
  static let shared = Archive()

  init() { Life.begin(self, "Archive") }
  deinit { Life.end("Archive") }
}

private final class Office {
  private let archive: Archive
  var clerk: Clerk?

  init(archive: Archive) {
    self.archive = archive
    Life.begin(self, "Office")
  }
  deinit { Life.end("Office") }
}

private final class Clerk {
  private let office: Office

  init(_ office: Office) {
    self.office = office
    Life.begin(self, "Clerk")
  }
  deinit { Life.end("Clerk") }
}

private final class Twin {
  static var known: Twin?

  var other: Twin?

  init() { Life.begin(self, "Twin") }
  deinit { Life.end("Twin") }
}

private final class Loop {
  var next: Loop?
  var tail: Tail?

  init() { Life.begin(self, "Loop") }
  deinit { Life.end("Loop") }
}

private final class Tail {
  private let next: Tail?

  init(next: Tail?) {
    self.next = next
    Life.begin(self, "Tail")
  }
  deinit { Life.end("Tail") }
}

private final class Peer {
  var peers: [Peer] = []

  init() { Life.begin(self, "Peer") }
  deinit { Life.end("Peer") }
}
