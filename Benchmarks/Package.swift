// swift-tools-version: 6.2

import PackageDescription

// SwiftPM names a package at a path after its folder, and you may have chosen any name for that.
let folder = Context.packageDirectory.split(separator: "/").dropLast().last.map(String.init)

// OpenCombine is a checkout in the folder PEER_SOURCES, or comes from GitHub. With
// WITHOUT_OPENCOMBINE, the benchmarks build without it.
let environment = Context.environment
let openCombine: Package.Dependency? =
  environment["WITHOUT_OPENCOMBINE"] != nil
  ? nil
  : environment["PEER_SOURCES"].map { .package(path: $0 + "/OpenCombine") }
    ?? .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0")

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "..")] + [openCombine].compactMap(\.self),
  targets: [
    .target(name: "HeapCounter"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "HeapCounter",
        .product(name: "ReactiveKit", package: folder ?? "reactivekit-trace"),
        .product(name: "ReactiveTrace", package: folder ?? "reactivekit-trace"),
      ]
        + (openCombine == nil ? [] : [.product(name: "OpenCombine", package: "OpenCombine")])),
    .executableTarget(
      name: "Tasks",
      dependencies: [
        .product(name: "TaskInspection", package: folder ?? "reactivekit-trace")
      ]),
  ],
  // Most clients use Swift 5 language mode today.
  swiftLanguageModes: [.v5]
)
