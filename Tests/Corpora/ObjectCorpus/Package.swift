// swift-tools-version: 6.2

import PackageDescription

// With OBJECT_CORPUS_INSIDE, the programs also search their own memory: `ObjectCorpus NAME
// --inside`.
let isInside = Context.environment["OBJECT_CORPUS_INSIDE"] != nil

// Programs that leak Swift objects, and similar programs that don't. They use only the standard
// library, Dispatch, Foundation, Synchronization and the library in Feeds.
// Tests/Scripts/object-corpus.py runs them.
let package = Package(
  name: "ObjectCorpus",
  dependencies: [.package(path: "Feeds")]
    + (isInside ? [.package(name: "ReactiveKit", path: "../../..")] : []),
  targets: [
    // Language mode 5, as most programs with such mistakes.
    .executableTarget(
      name: "ObjectCorpus",
      dependencies: [.product(name: "Feeds", package: "Feeds")]
        + (isInside ? [.product(name: "TaskInspection", package: "ReactiveKit")] : []),
      swiftSettings: [.swiftLanguageMode(.v5)] + (isInside ? [.define("INSIDE")] : []))
  ]
)
