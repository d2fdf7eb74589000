// swift-tools-version: 6.2

import PackageDescription

// SwiftPM names a package at a path after its folder, and you may have chosen any name for that.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init)
let reactiveTrace = Target.Dependency.product(
  name: "ReactiveTrace", package: folder ?? "reactivekit-trace")

let package = Package(
  name: "TracedObservation",
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [.library(name: "TracedObservation", targets: ["TracedObservation"])],
  dependencies: [.package(path: "../..")],
  targets: [
    // It isn't part of ReactiveTrace, so that other programs don't load the library Observation.
    .target(name: "TracedObservation", dependencies: [reactiveTrace]),
    // A program with twelve mistakes.
    .executableTarget(
      name: "LeakyObservers", dependencies: ["TracedObservation", reactiveTrace]),
    .testTarget(
      name: "TracedObservationTests", dependencies: ["TracedObservation", reactiveTrace]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
