/// The field numbers of the Perfetto messages that the exporter writes. The names are those of
/// Perfetto.
enum PerfettoField {
  enum Trace {
    static let packet = 1
  }

  enum Packet {
    static let timestamp = 8
    static let trustedPacketSequenceID = 10
    static let trackEvent = 11
    static let internedData = 12
    static let sequenceFlags = 13
    static let trackDescriptor = 60
    static let firstPacketOnSequence = 87
  }

  enum Track {
    static let uuid = 1
    static let name = 2
    static let process = 3
    static let parentUUID = 5
    static let childOrdering = 11
    static let siblingMergeBehavior = 15
  }

  enum Process {
    static let pid = 1
    static let name = 6
    static let labels = 8
  }

  enum Event {
    static let categoryIIDs = 3
    static let debugAnnotations = 4
    static let type = 9
    static let nameIID = 10
    static let trackUUID = 11
    static let name = 23
    static let sourceLocationIID = 34
    static let flowIDs = 47
    static let terminatingFlowIDs = 48
  }

  enum Annotation {
    static let nameIID = 1
    static let unsigned = 3
    static let string = 6
    static let members = 11
    static let elements = 12
    static let stringIID = 17
  }

  enum Interned {
    static let categories = 1
    static let eventNames = 2
    static let annotationNames = 3
    static let sourceLocations = 4
    static let annotationStrings = 29
    /// The fields of an entry in any of them.
    static let iid = 1
    static let text = 2
    static let function = 3
    static let line = 4
  }
}

/// The values of Perfetto's enumerations.
enum PerfettoValue {
  static let sliceBegin: UInt64 = 1
  static let sliceEnd: UInt64 = 2
  static let instant: UInt64 = 3
  /// The interned names of a sequence start over.
  static let stateCleared: UInt64 = 1
  /// The packet uses interned names of its sequence.
  static let needsState: UInt64 = 2
  static let mergeByName: UInt64 = 1
  static let chronological: UInt64 = 2
}
