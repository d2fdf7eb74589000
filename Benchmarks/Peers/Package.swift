// swift-tools-version: 6.2

import PackageDescription

// Builds the rows of the benchmarks with one other library, which PEER names. The library is a
// checkout in the folder PEER_SOURCES, or comes from GitHub. Two libraries of this name, and of the
// names of their modules, can't be in one program. So each is in its own.
let peers: [String: (url: String, version: Version)] = [
  "OpenCombine": ("https://github.com/OpenCombine/OpenCombine.git", "0.14.0"),
  "ReactiveKit": ("https://github.com/DeclarativeHub/ReactiveKit.git", "3.21.0"),
  "RxSwift": ("https://github.com/ReactiveX/RxSwift.git", "6.10.2"),
  "ReactiveSwift": ("https://github.com/ReactiveCocoa/ReactiveSwift.git", "7.2.1"),
]

let environment = Context.environment
var dependencies: [Package.Dependency] = []
var targets: [Target] = [.target(name: "HeapCounter", path: "Sources/HeapCounter")]
if let name = environment["PEER"], let peer = peers[name] {
  dependencies.append(
    environment["PEER_SOURCES"].map { .package(path: $0 + "/" + name) }
      ?? .package(url: peer.url, exact: peer.version))
  targets.append(
    .executableTarget(
      name: "Peer", dependencies: ["HeapCounter", .product(name: name, package: name)],
      path: "Sources", exclude: ["HeapCounter"],
      sources: ["main.swift", "Measuring", "\(name).swift"]))
}

let package = Package(
  name: "Peers",
  platforms: [.macOS(.v15)],
  dependencies: dependencies,
  targets: targets,
  // Most clients use Swift 5 language mode today.
  swiftLanguageModes: [.v5]
)
