#if os(Linux)
  import CodeLocations
  import ProcessMemory
  import SystemLibrary

  /// The program and the libraries of a core file: the bytes that the core file doesn't have.
  struct CoreImages {
    /// Memory whose bytes are in a file.
    struct Part {
      let range: Range<UInt>
      let file: Int32
      let offset: UInt64
    }

    private(set) var images: [CoreFile.Image] = []
    private(set) var descriptors: [Int32] = []
    private(set) var missingParts: [Part] = []
    /// A Boolean value that indicates whether variables of the program or of a library are in no
    /// part. Whoever writes a core file leaves out only what the process can't have changed.
    private(set) var lacksVariables = false
    /// The parts of the memory in order.
    private var lines: [Line] = []
    /// The paths as the process saw them, where a debugger wrote others.
    private var names: [String: String] = [:]

    private struct Line {
      let range: Range<UInt>
      let flags: UInt32
      let path: String
      let isShared: Bool
      /// A Boolean value that indicates whether the part has no file, and the program can't write
      /// to it, but has before.
      var isSealed = false
    }

    /// The maximum number of files. Each is open during the inspection.
    private static let maxImages = 512
    private static let headSize = 4096

    /// - Parameters:
    ///   - root: The folder with the file system of the process, or an empty string.
    ///   - memory: Returns bytes that are in the core file.
    init(
      _ mappings: [CoreNotes.Mapping], _ segments: [CoreSegment], root: String,
      memory: (UInt, Int) -> [UInt8]?
    ) {
      let executed = Set(
        segments.filter { $0.flags & ElfLayout.Program.isExecutable != 0 }.map(\.start))
      let programs = Set(
        mappings.filter { executed.contains($0.range.lowerBound) }.map(\.path))
      var heads: [String: (file: Int32, head: ElfHead)] = [:]
      var seen: Set<String> = []
      for mapping in mappings where seen.insert(mapping.path).inserted {
        let head = mapping.offset == 0 ? memory(mapping.range.lowerBound, Self.headSize) : nil
        let isProgram =
          head.map { $0.number(0, 4) == UInt64(ElfLayout.magic) } ?? false
          || mapping.path.contains(".so") || programs.contains(mapping.path)
        guard isProgram else { continue }
        guard descriptors.count < Self.maxImages else {
          images.append(CoreFile.Image(path: mapping.path, file: mapping.path, problem: .missing))
          continue
        }
        let base = mapping.range.lowerBound
        var image: CoreFile.Image?
        for (file, name) in Self.files(mapping.path, root) {
          let problem = Self.open(
            file, head,
            memory: {
              mapping.offset == 0 ? memory(base &+ UInt(truncatingIfNeeded: $0), $1) : nil
            },
            opened: {
              descriptors.append($0)
              heads[mapping.path] = ($0, $1)
            })
          if problem != .missing || image == nil {
            image = CoreFile.Image(path: name, file: file, problem: problem)
          }
          if problem == nil {
            names[mapping.path] = name
            break
          }
        }
        if let image { images.append(image) }
        if mapping.offset == 0, let head = heads[mapping.path]?.head {
          lacksVariables = lacksVariables || !Self.have(segments, variablesOf: head, at: base)
        }
      }
      addLines(segments, mappings, heads.mapValues(\.head), memory)
      addMissing(segments, mappings, heads.mapValues(\.file))
    }

    /// The maximum number of folders in a path, of which each can be the root of the process.
    private static let maxDepth = 16

    /// Returns where the file of a path can be below a folder, and the path that it would have had
    /// for the process. A debugger outside of a container writes paths that begin with the root of
    /// the process, and a program can be copied to the folder itself.
    private static func files(_ path: String, _ root: String) -> [(file: String, name: String)] {
      guard !root.isEmpty else { return [(path, path)] }
      let names = path.split(separator: "/")
      return (0..<max(1, min(names.count, maxDepth))).map {
        let rest = "/" + names.dropFirst($0).joined(separator: "/")
        return (root + rest, names.count - $0 > 1 ? rest : path)
      }
    }

    /// Returns a path as the process saw it.
    func name(_ path: String) -> String { names[path] ?? path }

    /// Opens a file if it is the one that the process had.
    ///
    /// - Parameters:
    ///   - head: The beginning of the file in the memory of the process.
    ///   - memory: Returns bytes of the file from the memory of the process.
    private static func open(
      _ path: String, _ head: [UInt8]?, memory: (UInt64, Int) -> [UInt8]?,
      opened: (Int32, ElfHead) -> Void
    ) -> CoreFile.Problem? {
      // A named pipe would wait for a writer.
      let file = OwnDescriptor.open(path, O_RDONLY | O_NONBLOCK)
      guard file >= 0 else { return .missing }
      var problem: CoreFile.Problem? = .different
      defer { if problem != nil { _ = systemClose(file) } }
      let read = { (offset: UInt64, count: Int) in CoreFile.bytes(file, at: offset, count) }
      guard let found = ElfHead(read), found.isForThisArchitecture else { return problem }
      let known = ElfHead(memory)?.buildIdentifier(memory)
      if let known, let own = found.buildIdentifier(read) {
        problem = known == own ? nil : .different
      } else if let head {
        let own = read(0, head.count)
        problem = own.map { isSame($0, head) } == true ? nil : .different
      } else {
        problem = .unknown
      }
      if problem == nil { opened(file, found) }
      return problem
    }

    /// Returns whether the beginnings of two files are the same, except for the list of sections,
    /// which `strip` changes.
    private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
      let ofSections = [0x28..<0x30, 0x3A..<0x40]
      return one.count == other.count
        && one.indices.allSatisfy { index in
          one[index] == other[index] || ofSections.contains { $0.contains(index) }
        }
    }

    /// Returns whether the parts include the variables of an image that begins at an address.
    private static func have(
      _ segments: [CoreSegment], variablesOf head: ElfHead, at base: UInt
    ) -> Bool {
      let loaded = head.parts.filter { $0.isLoaded && $0.memorySize > 0 }
      func page(_ part: ElfHead.Part) -> UInt {
        UInt(part.address) & ~(ProcessMemory.pageSize - 1)
      }
      return loaded.allSatisfy { part in
        guard part.flags & ElfLayout.Program.isWritable != 0 else { return true }
        let move = base &- page(loaded[0])
        let end = UInt(part.address &+ part.memorySize) &+ move
        var start = page(part) &+ move
        for segment in segments where segment.end > start {
          guard segment.start <= start, start < end else { break }
          start = segment.end
        }
        return start >= end
      }
    }

    // MARK: The list of parts

    private mutating func addLines(
      _ segments: [CoreSegment], _ mappings: [CoreNotes.Mapping], _ heads: [String: ElfHead],
      _ memory: (UInt, Int) -> [UInt8]?
    ) {
      let paths = Dictionary(
        mappings.map { ($0.range.lowerBound, $0.path) }, uniquingKeysWith: { first, _ in first })
      var left = Self.maxBytes
      lines = segments.map { segment in
        let path = paths[segment.start].map(name) ?? ""
        return Line(
          range: segment.start..<segment.end, flags: segment.flags, path: path,
          isShared: Self.isShared(path, segment),
          isSealed: path.isEmpty && Self.isSealed(segment, memory, &left))
      }
      // A debugger leaves out parts of files, and says nothing about their flags.
      var next = 0
      for mapping in mappings {
        while next < segments.count, segments[next].end <= mapping.range.lowerBound { next += 1 }
        if next < segments.count, segments[next].start < mapping.range.upperBound { continue }
        let part = heads[mapping.path]?.parts.first { part in
          let start = part.offset & ~(UInt64(ProcessMemory.pageSize) - 1)
          return part.isLoaded && start <= mapping.offset
            && mapping.offset - start < part.fileSize
        }
        lines.append(
          Line(
            range: mapping.range, flags: part?.flags ?? ElfLayout.Program.isReadable,
            path: name(mapping.path), isShared: part == nil))
      }
      lines.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Returns whether other processes can have the same memory. Nothing in a core file says so.
    /// What the process could change is there unless it is shared or wasn't changed.
    private static func isShared(_ path: String, _ segment: CoreSegment) -> Bool {
      guard !path.isEmpty, segment.flags & ElfLayout.Program.isWritable != 0 else { return false }
      return segment.fileSize == 0
        || ["/memfd:", "/dev/", "/SYSV"].contains { path.hasPrefix($0) }
    }

    /// The number of bytes that are read at once, and for all parts.
    private static let chunkSize: UInt = 1 << 20
    private static let maxBytes: UInt = 1 << 30

    /// Returns whether a part without a file has content and can't be read and written. The
    /// program can protect memory that it uses. A guard area has no content. If there is too much
    /// to read, it counts as content.
    ///
    /// - Parameter left: The number of bytes that may still be read.
    private static func isSealed(
      _ segment: CoreSegment, _ memory: (UInt, Int) -> [UInt8]?, _ left: inout UInt
    ) -> Bool {
      let both = ElfLayout.Program.isReadable | ElfLayout.Program.isWritable
      guard segment.flags & both != both else { return false }
      var start = segment.start
      let end = start + UInt(segment.fileSize)
      while start < end {
        let count = min(chunkSize, end - start)
        guard left >= count else { return true }
        left -= count
        guard let bytes = memory(start, Int(count)) else { return false }
        let hasContent = bytes.withUnsafeBytes { bytes in
          guard let first = bytes.baseAddress else { return false }
          // Each byte is the same as the one before it, and the first one is 0.
          return bytes[0] != 0 || memcmp(first, first + 1, bytes.count - 1) != 0
        }
        if hasContent { return true }
        start += count
      }
      return false
    }

    /// Returns the parts in the format of `/proc/PID/maps`.
    ///
    /// - Parameter stack: An address on the stack of the first thread.
    func list(stackAt stack: UInt?) -> [UInt8] {
      var text = ""
      for line in lines {
        let (range, flags, path) = (line.range, line.flags, line.path)
        typealias Program = ElfLayout.Program
        let isWritable = flags & Program.isWritable != 0
        let isExecutable = flags & Program.isExecutable != 0
        // A debugger describes a part without any rights as one that can be read.
        let isReadable =
          line.isSealed
          || flags & Program.isReadable != 0 && (isWritable || isExecutable || !path.isEmpty)
        let isStack = path.isEmpty && stack.map { range.contains($0) } == true
        // A newline in a path is escaped as in the kernel's list.
        let name =
          isStack
          ? "[stack]"
          : path.split(
            separator: "\n", omittingEmptySubsequences: false
          ).joined(separator: "\\012")
        text += String(range.lowerBound, radix: 16) + "-" + String(range.upperBound, radix: 16)
        text += " \(isReadable ? "r" : "-")\(isWritable ? "w" : "-")"
        text += "\(isExecutable ? "x" : "-")\(line.isShared ? "s" : "p") 0 00:00 0 \(name)\n"
      }
      return Array(text.utf8)
    }

    // MARK: Bytes that aren't in the core file

    private mutating func addMissing(
      _ segments: [CoreSegment], _ mappings: [CoreNotes.Mapping], _ files: [String: Int32]
    ) {
      let known = Dictionary(
        segments.map { ($0.start, $0) }, uniquingKeysWith: { first, _ in first })
      let shown = Set(lines.map(\.range.lowerBound))
      var sizes: [Int32: UInt64] = [:]
      for file in files.values {
        var status = stat()
        if fstat(file, &status) == 0 { sizes[file] = UInt64(max(0, status.st_size)) }
      }
      for mapping in mappings {
        let first = mapping.range.lowerBound
        guard let file = files[mapping.path], let size = sizes[file], shown.contains(first),
          mapping.offset < size
        else { continue }
        // The rest of the last page is zero.
        let page = UInt64(ProcessMemory.pageSize)
        let content = UInt((size - mapping.offset + page - 1) / page * page)
        let segment = known[first]
        let start = first + UInt(segment?.fileSize ?? 0)
        let limit = min(mapping.range.upperBound, segment?.end ?? .max)
        let end = min(limit, content > limit - first ? limit : first + content)
        guard start < end else { continue }
        missingParts.append(
          Part(
            range: start..<end, file: file, offset: mapping.offset + UInt64(start - first)))
      }
    }
  }
#endif
