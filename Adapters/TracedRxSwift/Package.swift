// swift-tools-version: 6.2

import PackageDescription

// SwiftPM names a package at a path after its folder, and you may have chosen any name for that.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init)
let rxSwift = Target.Dependency.product(name: "RxSwift", package: "RxSwift")
let reactiveTrace = Target.Dependency.product(
  name: "ReactiveTrace", package: folder ?? "reactivekit-trace")

let package = Package(
  name: "TracedRxSwift",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "TracedRxSwift", targets: ["TracedRxSwift"])],
  dependencies: [
    .package(path: "../.."),
    .package(url: "https://github.com/ReactiveX/RxSwift.git", exact: "6.10.2"),
  ],
  targets: [
    .target(name: "TracedRxSwift", dependencies: [rxSwift, reactiveTrace]),
    .testTarget(
      name: "TracedRxSwiftTests", dependencies: ["TracedRxSwift", rxSwift, reactiveTrace]),
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
