import SwiftRuntime

/// The modules of this package that a traced program links. Their code is never the user's.
package enum OwnModules {
  static let names = [
    "ReactiveKit", "ReactiveTrace", "TraceFormat", "ElementText", "HeapGraph", "SwiftRuntime",
    "CodeLocations", "HostSafety", "SystemLibrary", "ProcessReading", "ProcessInspection",
    "TaskInspection", "LeakInspection", "LeakDetection", "TraceTesting",
  ]

  /// Returns whether a module is one of them.
  package static func contain(_ module: String) -> Bool { names.contains(module) }

  /// The modules of the recorder and of the search for what keeps an object alive. Their objects
  /// only describe others.
  package static let ofRecorder: Set<String> = [
    "ReactiveTrace", "ElementText", "HeapGraph", "SwiftRuntime", "CodeLocations", "HostSafety",
    "ProcessReading", "ProcessInspection", "TaskInspection", "LeakInspection", "LeakDetection",
    "TraceTesting",
  ]

  /// The prefixes of the mangled names of their functions.
  static let prefixes = names.map { MangledName.symbolPrefix(ofModule: $0) }

  /// The suffixes of the paths of their folders.
  static let folders = names.map { "Sources/\($0)/" }
}
