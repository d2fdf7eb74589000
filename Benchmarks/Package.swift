// swift-tools-version: 6.2

import PackageDescription

// A package by path is known by the name of its folder, which is the reader's to choose.
let folder = Context.packageDirectory.split(separator: "/").dropLast().last.map(String.init)

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0"),
  ],
  targets: [
    .target(name: "HeapCounter"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "HeapCounter",
        .product(name: "ReactiveKit", package: folder ?? "reactivekit-trace"),
        .product(name: "ReactiveTrace", package: folder ?? "reactivekit-trace"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
  ],
  // As most clients are built today.
  swiftLanguageModes: [.v5]
)
