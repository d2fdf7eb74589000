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
    var words: [Int: ValueLayout.Reference.Kind] = [:]
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
      case .reference, .error: words[offset] = .word
      case .function: words[offset + ObjectLayout.reference] = .word
      case .existential: words[offset] = .container
      case .table, .opaque: unknown.append(offset..<offset + type.size)
      case .fields(let fields):
        for field in fields { add(field, at: offset, depth) }
      case .cases(let payloads):
        for case let payload? in payloads {
          if payload.isIndirect {
            words[offset] = .word
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

  @Suite("The two sources of a type")
  struct TypeSourcesTests {
    private let types: ObjectTypes
    private let runtime = RuntimeTypes(NoLibrary())
    private let descriptors: [UInt]

    init() throws {
      let memory = try #require(ProcessMemory.ofThisProcess)
      var map = try #require(MemoryMap())
      map.markVariables(memory)
      let files = ProcessFiles(ofProcess: getpid(), map)
      let metadata = MetadataReader(memory, map)
      types = ObjectTypes(memory, metadata) { files.sections($0, isInTime: { true }) }
      let records = files.sections("swift5_type_metadata", isInTime: { true }).flatMap {
        stride(from: $0.lowerBound, to: $0.upperBound, by: TypeReferenceLayout.size)
      }
      descriptors = records.compactMap { record in
        let distance = Metadata.load(record, as: Int32.self)
        guard TypeReferenceLayout.isDirect(distance) else { return nil }
        let descriptor = Metadata.follow(record)
        return metadata.descriptorFlags(descriptor)
          .flatMap { $0.isType && !$0.isGeneric && !$0.isForeign ? descriptor : nil }
      }
    }

    /// Returns the metadata of a type, which the runtime makes if it doesn't exist.
    private func metadata(_ descriptor: UInt) -> UInt {
      let code = Metadata.follow(descriptor &+ DescriptorLayout.accessFunction)
      typealias Access = @convention(c) (_ request: UInt) -> UInt
      return unsafeBitCast(code, to: Access.self)(0)
    }

    private func name(_ descriptor: UInt) -> String {
      let name = types.qualifiedName(descriptor)
      return "\(name.module).\(name.name)"
    }

    private func compare(
      _ references: [ValueLayout.Reference], _ own: RuntimeReferences, _ name: String
    ) -> [String] {
      let found = Dictionary(references.map { ($0.offset, $0.kind) }) { first, _ in first }
      let offsets = Set(found.keys).union(own.words.keys).filter { !own.isUnknown($0) }
      return offsets.sorted().compactMap { offset in
        found[offset] == own.words[offset]
          ? nil
          : "\(name)+\(offset): \(text(found[offset])) outside, \(text(own.words[offset])) inside"
      }
    }

    private func text(_ kind: ValueLayout.Reference.Kind?) -> String {
      kind.map { "\($0)" } ?? "nothing"
    }

    @Test("Values have the same size and the same references by both sources")
    func values() {
      var count = 0
      var differences: [String] = []
      for descriptor in descriptors {
        let address = metadata(descriptor)
        let kind = Metadata.kind(at: address)
        guard kind == Metadata.Kind.structType || kind == Metadata.Kind.enumType else { continue }
        let type = runtime.type(Metadata.type(at: address))
        guard let layout = types.layouts.layout(ofType: address) else {
          differences.append("\(name(descriptor)): no layout")
          continue
        }
        count += 1
        if layout.size != type.size {
          differences.append("\(name(descriptor)): \(layout.size) bytes instead of \(type.size)")
        }
        var own = RuntimeReferences()
        own.add(type, at: 0)
        differences += compare(layout.references, own, name(descriptor))
      }
      #expect(count > 1000)
      #expect(differences == [])
    }

    @Test("Objects have the same fields by both sources")
    func objects() {
      var count = 0
      var differences: [String] = []
      for descriptor in descriptors {
        guard types.metadata.descriptorFlags(descriptor)?.kind == DescriptorFlags.Kind.classType
        else { continue }
        let address = metadata(descriptor)
        let name = name(descriptor)
        guard let fields = runtime.fields(ofClass: address) else { continue }
        guard let described = types.description(address)?.fields else {
          differences.append("\(name): no fields")
          continue
        }
        count += 1
        var own = RuntimeReferences()
        for field in fields {
          own.add(field, at: 0)
          let parts = described.filter {
            $0.name == field.name && field.offset..<field.offset + max(1, field.size) ~= $0.offset
          }
          guard let first = parts.first else {
            differences.append("\(name).\(field.name): no field at \(field.offset)")
            continue
          }
          if first.offset != field.offset {
            differences.append("\(name).\(field.name): \(first.offset), not \(field.offset)")
          }
          if parts.reduce(0, { $0 + $1.size }) < field.size {
            differences.append("\(name).\(field.name): less than \(field.size) bytes")
          }
          let isCounted = parts.contains { $0.strength == .strong || $0.strength == .possible }
          if field.ownership == .notStrong, isCounted {
            differences.append("\(name).\(field.name): strong outside")
          }
        }
        differences += compare(described.flatMap(\.references), own, name)
      }
      #expect(count > 200)
      #expect(differences == [])
    }
  }
#endif
