// swift-tools-version: 6.2

import PackageDescription

// SwiftPM names a package at a path after its folder, and you may have chosen any name for that.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init)
let reactiveSwift = Target.Dependency.product(name: "ReactiveSwift", package: "ReactiveSwift")
let reactiveTrace = Target.Dependency.product(
  name: "ReactiveTrace", package: folder ?? "reactivekit-trace")

let package = Package(
  name: "TracedReactiveSwift",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "TracedReactiveSwift", targets: ["TracedReactiveSwift"])],
  dependencies: [
    .package(path: "../.."),
    .package(url: "https://github.com/ReactiveCocoa/ReactiveSwift.git", exact: "7.2.1"),
  ],
  targets: [
    .target(name: "TracedReactiveSwift", dependencies: [reactiveSwift, reactiveTrace]),
    .testTarget(
      name: "TracedReactiveSwiftTests",
      dependencies: ["TracedReactiveSwift", reactiveSwift, reactiveTrace]),
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
