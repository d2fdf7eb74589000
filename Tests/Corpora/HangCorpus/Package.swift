// swift-tools-version: 6.2

import PackageDescription

// Tests and programs that hang, each for another reason, and servers at rest.
// Tests/Scripts/hangs.py runs one at a time and compares the report with the line that is marked
// with its name.
let package = Package(
  name: "HangCorpus",
  targets: [
    .target(name: "Shop"),
    .executableTarget(name: "Desk", dependencies: ["Shop"]),
    .testTarget(name: "ShopTests", dependencies: ["Shop"]),
    .testTarget(name: "ShopXCTests", dependencies: ["Shop"]),
  ],
  swiftLanguageModes: [.v6]
)
