import CodeLocations
import SwiftRuntime

extension InspectedFrame {
  /// A Boolean value that indicates whether the runtime or the compiler made the function, so that
  /// it doesn't show who started a task.
  package var isOfRuntime: Bool {
    guard origin == .system, !isOptimized else { return false }
    guard let symbol else { return true }
    return offset.hasPrefix("libswift_Concurrency") || symbol.contains("completeTask")
      || Demangler.isThunk(symbol) || MangledName(symbol: symbol)?.modules?.ofType == nil
  }

  /// A Boolean value that indicates whether the optimizer has put code of the program into a
  /// function that the compiler generated.
  package var isOptimized: Bool {
    guard origin == .system, let symbol, Demangler.isThunk(symbol), let path, source != nil else {
      return false
    }
    return path.hasSuffix(".swift") && !CodeCall.isOfDependency(path: path)
      && !path.contains("@__swiftmacro_") && !CodeCall.isOfToolchain(path: path)
  }

  /// A Boolean value that indicates whether the function belongs to the recorder, which runs the
  /// operation of a traced task.
  package var isOfRecorder: Bool {
    guard let module = symbol.flatMap({ MangledName(symbol: $0)?.modules?.ofType }) else {
      return false
    }
    return OwnModules.ofRecorder.contains(module)
  }
}
