// swift-tools-version: 6.2

import PackageDescription

// A library of another package, whose own objects retain each other until they are canceled.
let package = Package(
  name: "Feeds",
  products: [.library(name: "Feeds", targets: ["Feeds"])],
  targets: [.target(name: "Feeds", swiftSettings: [.swiftLanguageMode(.v5)])]
)
