// swift-tools-version: 6.2

import PackageDescription

// Servers at rest, and servers with a request that waits. Tests/Scripts/hangs.py --servers runs
// them.
let package = Package(
  name: "ServerHangCorpus",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.0.0"),
    .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.20.0"),
  ],
  targets: [
    .executableTarget(
      name: "Inn",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
