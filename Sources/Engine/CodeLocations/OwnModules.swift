import SwiftRuntime

/// The modules of this package that a traced program links. Their code is never the user's.
package enum OwnModules {
  static let names = [
    "ReactiveKit", "ReactiveTrace", "TraceFormat", "HeapGraph", "SwiftRuntime", "CodeLocations",
    "CRuntime", "SystemLibrary", "ProcessMemory", "ProcessInspection", "TaskInspection",
    "LeakDetection", "TraceCauses", "TraceTesting",
  ]

  /// Returns whether a module is one of them.
  package static func contain(_ module: String) -> Bool { names.contains(module) }

  /// The modules of the recorder and of the search for what keeps an object alive. Their objects
  /// only describe others.
  package static let ofRecorder: Set<String> = [
    "ReactiveTrace", "HeapGraph", "SwiftRuntime", "CodeLocations", "ProcessMemory", "SystemLibrary",
    "ProcessInspection", "TaskInspection", "LeakDetection", "TraceCauses", "TraceTesting",
  ]

  /// The prefixes of the mangled names of their functions.
  static let prefixes = names.map { MangledName.symbolPrefix(ofModule: $0) }

  /// The ends of the paths of their folders.
  static let folders =
    names.map { "Sources/\($0)/" } + names.map { "Sources/Engine/\($0)/" }
    + ["Sources/Log/TraceFormat/"]
}
