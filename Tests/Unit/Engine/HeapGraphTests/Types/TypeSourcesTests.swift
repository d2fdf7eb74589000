#if os(Linux) && arch(x86_64)
  import ProcessMemory
  import SwiftRuntime
  import SystemLibrary
  import Testing

  @testable import HeapGraph

  /// No type has a description beyond its metadata.
  private struct NoLibrary: LibraryTypes {
    func storedValues(of type: Any.Type) -> [LibraryField] { [] }
    func table(of type: Any.Type) -> ReferenceTable? { nil }
  }

  /// The strong references of values according to the runtime. An enumeration has those of all
  /// cases.
  private struct RuntimeReferences {
    var words: [Int: Set<ValueLayout.Reference.Kind>] = [:]
    /// The bytes about which the runtime reports nothing.
    var unknown: [Range<Int>] = []

    private static let maxDepth = 16

    mutating func add(_ type: RuntimeType, at offset: Int, depth: Int = 0) {
      // The words of a string have other uses in short strings.
      guard depth < Self.maxDepth, type.type != String.self else {
        unknown.append(offset..<offset + type.size)
        return
      }
      switch type.shape {
      case .plain: break
      case .reference, .error: words[offset, default: []].insert(.word)
      case .function: words[offset + ObjectLayout.reference, default: []].insert(.word)
      case .existential: words[offset, default: []].insert(.container)
      case .table, .opaque: unknown.append(offset..<offset + type.size)
      case .fields(let fields):
        for field in fields { add(field, at: offset, depth) }
      case .cases(let payloads):
        for case let payload? in payloads {
          if payload.isIndirect {
            words[offset, default: []].insert(.word)
          } else {
            add(payload.type, at: offset, depth: depth + 1)
          }
        }
      }
    }

    mutating func add(_ field: RuntimeType.Field, at offset: Int, _ depth: Int = 0) {
      let start = offset + field.offset
      switch field.ownership {
      case .strong: add(field.type, at: start, depth: depth + 1)
      case .notStrong: break
      case .unknown: unknown.append(start..<start + field.size)
      }
    }

    func isUnknown(_ offset: Int) -> Bool { unknown.contains { $0.contains(offset) } }
  }

  /// What the runtime of this process reports about types, compared with what their descriptors do,
  /// as they are read in another process.
  @Suite("The two sources of a type")
  struct TypeSourcesTests {
    private let types: ObjectTypes
    private let runtime = RuntimeTypes(NoLibrary())
    /// The types of the program and its libraries: the metadata and the name.
    private let all: [(metadata: UInt, name: String)]

    init() throws {
      let memory = try #require(ProcessMemory.ofThisProcess)
      func types(_ map: MemoryMap) -> (ObjectTypes, ProcessFiles) {
        var map = map
        map.markVariables(memory)
        let files = ProcessFiles(ofProcess: getpid(), map)
        let types = ObjectTypes(memory, MetadataReader(memory, map)) {
          files.sections($0, isInTime: { true })
        }
        return (types, files)
      }
      let (first, files) = types(try #require(MemoryMap()))
      let records = files.sections("swift5_type_metadata", isInTime: { true }).flatMap {
        stride(from: $0.lowerBound, to: $0.upperBound, by: TypeReferenceLayout.size)
      }
      all = records.compactMap { record in
        guard TypeReferenceLayout.isDirect(Metadata.load(record, as: Int32.self)) else {
          return nil
        }
        let descriptor = Metadata.follow(record)
        guard let flags = first.metadata.descriptorFlags(descriptor), flags.isType,
          !flags.isGeneric, !flags.isForeign
        else { return nil }
        let name = first.qualifiedName(descriptor)
        return (Self.metadata(descriptor), "\(name.module).\(name.name)")
      }
      // The runtime has made some metadata meanwhile.
      self.types = types(try #require(MemoryMap())).0
    }

    /// Returns the metadata of a type, which the runtime makes if it doesn't exist.
    private static func metadata(_ descriptor: UInt) -> UInt {
      let code = Metadata.follow(descriptor &+ DescriptorLayout.accessFunction)
      typealias Access = @convention(c) (_ request: UInt) -> UInt
      return unsafeBitCast(code, to: Access.self)(0)
    }

    /// The differences between the sources. It isn't a mistake if the descriptors say less.
    private struct Differences {
      var compared = 0
      var mistakes: [String] = []
      var incomplete: Set<String> = []

      /// The highest part of types whose descriptors don't say which words are references: one of
      /// so many.
      private static let incompletePart = 10

      mutating func compare(
        _ references: [ValueLayout.Reference], _ own: RuntimeReferences, _ name: String
      ) {
        compared += 1
        for reference in references where !own.isUnknown(reference.offset) {
          let kinds = own.words[reference.offset] ?? []
          if !kinds.contains(reference.kind) {
            mistakes.append("\(name)+\(reference.offset): \(reference.kind) is \(kinds)")
          }
        }
        let found = Set(references.map(\.offset))
        if !own.words.keys.allSatisfy({ found.contains($0) || own.isUnknown($0) }) {
          incomplete.insert(name)
        }
      }

      func expectNone(outOf minCount: Int) {
        #expect(compared > minCount)
        #expect(mistakes == [])
        #expect(incomplete.count * Self.incompletePart <= compared, "\(incomplete.sorted())")
      }
    }

    @Test("Values have the same size and the same references by both sources")
    func values() {
      var differences = Differences()
      for (metadata, name) in all where Metadata.Kind.ofValues.contains(Metadata.kind(at: metadata))
      {
        let type = runtime.type(Metadata.type(at: metadata))
        guard let layout = types.layouts.layout(ofType: metadata) else {
          differences.mistakes.append("\(name): no layout")
          continue
        }
        if layout.size != type.size {
          differences.mistakes.append("\(name): \(layout.size) bytes instead of \(type.size)")
        }
        var own = RuntimeReferences()
        own.add(type, at: 0)
        differences.compare(layout.references, own, name)
      }
      differences.expectNone(outOf: 500)
    }

    @Test("Objects have the same fields at the same offsets by both sources")
    func objects() {
      var differences = Differences()
      for (metadata, name) in all where types.metadata.kind(at: metadata) == .instance {
        guard let fields = runtime.fields(ofClass: metadata) else { continue }
        guard let described = types.description(metadata)?.fields else {
          differences.mistakes.append("\(name): no fields")
          continue
        }
        var own = RuntimeReferences()
        for field in fields {
          own.add(field, at: 0)
          let end = field.offset + max(1, field.size)
          let parts = described.filter {
            $0.name == field.name && field.offset..<end ~= $0.offset
          }
          let size = parts.reduce(0) { max($0, $1.offset + $1.size - field.offset) }
          if parts.first?.offset != field.offset || size < field.size {
            differences.mistakes.append("\(name).\(field.name): \(size) of \(field.size) bytes")
          }
          let isCounted = parts.contains { $0.strength == .strong || $0.strength == .possible }
          if field.ownership == .notStrong, isCounted {
            differences.mistakes.append("\(name).\(field.name): a reference that isn't strong")
          }
        }
        differences.compare(described.flatMap(\.references), own, name)
      }
      differences.expectNone(outOf: 100)
    }
  }
#endif
