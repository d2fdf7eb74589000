import Foundation

// Measures the rows with one library: Peer SAMPLES [ROW]. Prints the figures as JSON objects.

let samples = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 7 : 7
let filter = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : ""

var figures = Figures()
for name in RowName.allCases where filter.isEmpty || name.rawValue.contains(filter) {
  if let make = peer.work[name] {
    figures.measurements += measure(name, [(peer.contestant, make)], samples: samples)
  }
}
if filter.isEmpty, let use = measureMemory(of: peer.contestant, peer.makeSubscriptions()) {
  figures.memory.append(use)
}
try figures.printLines()
