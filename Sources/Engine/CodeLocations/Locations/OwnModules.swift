import SwiftRuntime

/// The modules of this package that a traced program links. Their code is never the user's.
package enum OwnModules {
  /// The ends of the paths of their folders. `.ci/imports.py` compares them with Package.swift.
  static let folders = [
    "Sources/ReactiveKit/", "Sources/ReactiveTrace/", "Sources/TraceTesting/",
    "Sources/Causes/LinkedCauses/", "Sources/Causes/TraceCauses/",
    "Sources/Engine/CRuntime/", "Sources/Engine/CodeLocations/", "Sources/Engine/HeapGraph/",
    "Sources/Engine/LeakDetection/", "Sources/Engine/ProcessInspection/",
    "Sources/Engine/ProcessMemory/", "Sources/Engine/SwiftRuntime/",
    "Sources/Engine/SystemLibrary/", "Sources/Engine/TaskInspection/", "Sources/Log/TraceFormat/",
  ]

  private static let linked = folders.compactMap { $0.split(separator: "/").last.map(String.init) }

  static let names = linked + StreamModules.names.sorted()

  /// Returns whether a module is one of them.
  package static func contain(_ module: String) -> Bool { names.contains(module) }

  /// The modules of the recorder and of the search for what keeps an object alive. Their objects
  /// only describe others.
  package static let ofRecorder = Set(linked).subtracting(["ReactiveKit"])

  /// The prefixes of the mangled names of their functions.
  static let prefixes = names.map { MangledName.symbolPrefix(ofModule: $0) }
}
