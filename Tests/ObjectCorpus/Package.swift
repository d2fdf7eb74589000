// swift-tools-version: 6.2

import PackageDescription

// Programs that leak Swift objects, and similar programs that don't. They use only the standard
// library, Dispatch, Foundation and Synchronization. Tests/Scripts/object-corpus.py runs them.
let package = Package(
  name: "ObjectCorpus",
  targets: [
    // Language mode 5, as most programs with such mistakes.
    .executableTarget(name: "ObjectCorpus", swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)
