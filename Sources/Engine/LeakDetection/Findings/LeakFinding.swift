package import TraceFormat

/// Objects that a process can't reach any more, all of which leak because of the same mistake.
package struct LeakFinding: Equatable, Sendable {
  package enum Kind: String, Equatable, Sendable {
    /// The objects are on a cycle of strong references.
    case cycle
    /// The objects aren't on a cycle, so a reference to them was lost without being released.
    case unreachable
  }

  package let kind: Kind
  /// The class of the objects, or of the object on the cycle that owns the step to break.
  package let name: String
  package let module: String
  /// The steps of the cycle. The list is empty for unreachable objects.
  package let retention: Retention
  /// The number of cycles, or of unreachable objects.
  package let count: Int
  /// The objects on the cycles, or the unreachable objects, by class.
  package let members: [LeakedObjects.Class]
  /// The objects that only these keep alive, by class.
  package let held: [LeakedObjects.Class]
  /// The place to look at, such as `Module/File.swift:26`, or nil if unknown.
  package let site: String?
  /// The reference to break, as `LeakedObjects.reference` writes it, which identifies the mistake.
  /// Nil if none stands out.
  package let reference: String?
  /// A Boolean value that indicates whether the objects are the user's, and not those of a
  /// framework.
  package let isOfUser: Bool

  /// The size of all objects, in bytes.
  package var bytes: Int { (members + held).reduce(0) { $0 + $1.bytes } }

  package init(
    kind: Kind, name: String, module: String, retention: Retention, count: Int,
    members: [LeakedObjects.Class], held: [LeakedObjects.Class], site: String?,
    reference: String? = nil, isOfUser: Bool
  ) {
    self.kind = kind
    self.name = name
    self.module = module
    self.retention = retention
    self.count = count
    self.members = members
    self.held = held
    self.site = site
    self.reference = reference
    self.isOfUser = isOfUser
  }
}

/// What a search for unreachable objects found in a process.
package struct LeakSearchResult: Sendable {
  package let findings: [LeakFinding]
  /// All objects, reachable or not, by class.
  package let classes: [LeakedObjects.Class]
  /// The addresses of the objects that can't be reached, with all bits inverted. If this process is
  /// searched again, the addresses themselves would be references to the objects.
  package let unreachable: Set<UInt>
  /// The addresses of the objects on cycles, with all bits inverted.
  let onCycles: Set<UInt>
  /// The number of objects, reachable or not.
  package let objectCount: Int
  /// The size of all blocks in use, in bytes.
  package let heapBytes: Int
  /// The allocator, or nil if its blocks are known. With others, only cycles of objects are found.
  package let allocator: ForeignAllocator?
  /// A Boolean value that indicates whether some objects were left out, because there are too many
  /// or the time ran out.
  package let isCut: Bool
  /// The path of a library without whose file some leaks can't be found, or nil.
  package let unreadableLibrary: String?
  /// A Boolean value that indicates whether two passes over a process that runs were needed.
  /// Then only cycles are found.
  package let isOfRunningProcess: Bool
  /// A Boolean value that indicates whether a thread can have a reference in a register and nowhere
  /// else. Then tasks of a process that runs are left out.
  package let hidesRegisters: Bool

  package init(
    findings: [LeakFinding], classes: [LeakedObjects.Class], unreachable: Set<UInt>,
    onCycles: Set<UInt>, objectCount: Int, heapBytes: Int, allocator: ForeignAllocator?,
    isCut: Bool, unreadableLibrary: String?, isOfRunningProcess: Bool, hidesRegisters: Bool
  ) {
    self.findings = findings
    self.classes = classes
    self.unreachable = unreachable
    self.onCycles = onCycles
    self.objectCount = objectCount
    self.heapBytes = heapBytes
    self.allocator = allocator
    self.isCut = isCut
    self.unreadableLibrary = unreadableLibrary
    self.isOfRunningProcess = isOfRunningProcess
    self.hidesRegisters = hidesRegisters
  }
}
