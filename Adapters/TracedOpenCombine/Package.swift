// swift-tools-version: 6.2

import PackageDescription

// SwiftPM names a package at a path after its folder, and you may have chosen any name for that.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init)
let openCombine = Target.Dependency.product(name: "OpenCombine", package: "OpenCombine")
let reactiveKit = Target.Dependency.product(
  name: "ReactiveKit", package: folder ?? "reactivekit-trace")
let reactiveTrace = Target.Dependency.product(
  name: "ReactiveTrace", package: folder ?? "reactivekit-trace")

let package = Package(
  name: "TracedOpenCombine",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "TracedOpenCombine", targets: ["TracedOpenCombine"])],
  dependencies: [
    .package(path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0"),
  ],
  targets: [
    // The lanes for Combine of ReactiveTrace, compiled for OpenCombine, and those of all others.
    .target(
      name: "TracedOpenCombine", dependencies: ["COpenCombineHook", openCombine, reactiveTrace],
      swiftSettings: [.define("OPENCOMBINE")]),
    // Begins before main.
    .target(name: "COpenCombineHook"),
    // A program with twelve mistakes.
    .executableTarget(name: "LeakyPublishers", dependencies: ["TracedOpenCombine", openCombine]),
    // What a lane costs.
    .executableTarget(
      name: "LaneCost",
      dependencies: ["TracedOpenCombine", openCombine, reactiveKit, reactiveTrace]),
    // A program without lanes.
    .executableTarget(name: "PlainPublishers", dependencies: ["TracedOpenCombine", openCombine]),
    .testTarget(
      name: "TracedOpenCombineTests",
      dependencies: ["TracedOpenCombine", openCombine, reactiveKit, reactiveTrace]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "COpenCombineHook" {
  let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
