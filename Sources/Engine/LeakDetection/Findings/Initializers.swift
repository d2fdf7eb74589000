#if os(Linux)
  import CodeLocations
  import ProcessInspection
  import SystemLibrary
  import TraceFormat

  /// What the initializers of classes are given, according to the symbols of the program.
  ///
  /// An object that isn't given anything makes the objects that it refers to from the start, so it
  /// is their owner.
  struct Initializers {
    /// Whether no initializer of a class is given an object, by the start of the class's symbols.
    private var known: [String: Bool] = [:]
    /// The start of the symbols of each object's class, by node.
    private var classes: [Int: String] = [:]

    /// The end of the symbol of the function that deallocates objects.
    private static let deallocation = "fD"
    /// The ends of the symbols of initializers.
    private static let ends = ["fC", "fc"]

    /// - Parameters:
    ///   - nodes: Objects, each with the symbol of the function that deallocates it, and the image
    ///     that has it.
    ///   - limit: The maximum time to read symbols, in nanoseconds.
    init(of nodes: [(node: Int, symbol: String?, image: LoadedImage?)], limit: Int) {
      let end = LogClock.monotonic() + limit
      var starts: [String: Set<String>] = [:]
      for (node, symbol, image) in nodes {
        guard let symbol, let image, symbol.hasSuffix(Self.deallocation) else { continue }
        let start = String(symbol.dropLast(Self.deallocation.count))
        classes[node] = start
        starts[image.file, default: []].insert(start)
      }
      for (path, starts) in starts {
        let isInTime = { LogClock.monotonic() < end }
        guard let file = ElfFile(path, isInTime: isInTime) else { continue }
        for (start, functions) in file.functions(startingWith: starts, isInTime: isInTime) {
          let names = functions.map(\.name).filter { Self.ends.contains(where: $0.hasSuffix) }
          let initializers = names.map {
            $0.dropFirst(start.count).dropLast(Self.deallocation.count)
          }
          known[start] =
            !initializers.isEmpty && initializers.allSatisfy(Self.takesNoObjects) && isInTime()
        }
      }
    }

    /// Returns whether it is certain that no initializer of an object's class is given an object.
    func takeNoObjects(_ node: Int) -> Bool { classes[node].flatMap { known[$0] } == true }

    /// Returns whether all parameters of an initializer are values of the standard library.
    ///
    /// - Parameter type: The end of its mangled name: the labels, the type of the object, and the
    ///   types of the parameters.
    private static func takesNoObjects(_ type: Substring) -> Bool {
      var rest = type
      while let first = rest.first, first.isNumber || first == "_" {
        let digits = rest.prefix { $0.isNumber }
        // A label with a part of an earlier name begins with 0.
        guard first != "0", let count = digits.isEmpty ? 0 : Int(digits) else { return false }
        rest = rest.dropFirst(digits.isEmpty ? 1 : digits.count + count)
      }
      return rest.wholeMatch(of: /A[A-Z](S[SbdfiuaDhg]|[yG_t])*c/) != nil
    }
  }
#endif
