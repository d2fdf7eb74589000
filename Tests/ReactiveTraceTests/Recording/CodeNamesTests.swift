#if os(Linux)
  import Testing

  @testable import ReactiveTrace

  @Suite("names of return addresses")
  struct CodeNamesTests {
    @Test("are the innermost place outside of this package")
    func place() throws {
      let (stack, line) = (CallStack.current(), #line)
      let (locations, isComplete) = CodeNames(limit: .max).locations(of: [
        stack, CallStack(addresses: []),
      ])
      #expect(isComplete)
      #expect(locations[1] == nil)
      let location = try #require(locations[0])
      #expect(location.source == "Recording/CodeNamesTests.swift:\(line)")
      #expect(location.function == "CodeNamesTests.place()")
    }

    @Test("are left out where there is no time, and that is said")
    func late() {
      let (locations, isComplete) = CodeNames(limit: 0).locations(of: [CallStack.current()])
      #expect(locations == [nil])
      #expect(!isComplete)
    }

    @Test("are looked up once")
    func once() {
      let names = CodeNames(limit: .max)
      let stack = CallStack.current()
      let locations = names.locations(of: [stack]).locations
      #expect(names.locations(of: [stack]).locations == locations)
    }

    @Test("are looked for in ascending order, also where a file asks for a high address")
    func wrappingAddresses() {
      let moved = CodeNames.moved([0x3001, 0x1001, 0x2001], by: 0x1800)
      #expect(moved.map(\.place) == [0x800, 0x1800, .max - 0x7FF])
      #expect(moved.map(\.address) == [0x2001, 0x3001, 0x1001])
    }

    @Test("fall back to the function where there is no line")
    func function() {
      let frame = CodeFrame(function: "$s3App3runyyF", row: nil, nearest: { nil })
      #expect(frame == .place(CodeLocation(source: nil, function: "run()")))
      // The line before the instruction that the compiler made.
      let made = CodeFrame(
        function: "$s3App3runyyF", row: ("/App/<compiler-generated>", 0),
        nearest: { ("/App/Sources/App/Run.swift", 7) })
      #expect(made == .place(CodeLocation(source: "App/Run.swift:7", function: "run()")))
    }

    @Test("are not those of this package, of libraries and of the compiler")
    func foreign() {
      let ours = "$s11ReactiveKit5localyyF"
      let path = "/checkouts/ReactiveKit/Sources/ReactiveKit/Signal/Signal.swift"
      #expect(CodeFrame(function: ours, row: nil, nearest: { nil }) == .ours)
      #expect(CodeFrame(function: nil, row: (path, 3), nearest: { nil }) == .ours)
      #expect(CodeFrame(function: "start_thread", row: nil, nearest: { nil }) == .unknown)
      #expect(CodeFrame(function: "$sSa6appendyyxnF", row: nil, nearest: { nil }) == .unknown)
      // Inlined into a function of the user's.
      let inlined = CodeFrame(
        function: "$s3App3runyyF", row: (path, 3), nearest: { ("/x/App/Run.swift", 9) })
      #expect(inlined == .place(CodeLocation(source: "App/Run.swift:9", function: "run()")))
    }
  }

  @Suite("line tables")
  struct LineProgramTests {
    private func rows(_ lines: [UInt8]) -> (rows: [String], files: [Int: String]) {
      lines.withUnsafeBytes { bytes in
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        let sections = LineProgram.Sections(lines: bytes, lineTexts: empty, texts: empty)
        guard var program = LineProgram(sections, at: 0) else { return ([], [:]) }
        var rows: [String] = []
        while program.advance(), rows.count < 100_000 {
          let row = program.row
          rows.append(
            program.isEnd ? "end \(row.address)" : "\(row.address) \(row.file):\(row.line)")
        }
        return (rows, program.files())
      }
    }

    /// A table of version 4 with one folder and one file.
    private var table: [UInt8] {
      var header: [UInt8] = [1, 1, 1, UInt8(bitPattern: -3), 12, 13]
      header += [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]
      header += Array("/App".utf8) + [0, 0] + Array("Run.swift".utf8) + [0, 1, 0, 0, 0]
      // Address 4096, line 11, a row; a special opcode: 2 bytes and 1 line on; the end after 3 more.
      let program: [UInt8] =
        [0, 9, 2, 0, 16, 0, 0, 0, 0, 0, 0, 3, 10, 1, 13 + 2 * 12 + 4, 2, 3, 0, 1, 1]
      let body = [4, 0, UInt8(header.count), 0, 0, 0] + header + program
      return [UInt8(body.count), 0, 0, 0] + body
    }

    @Test("make rows of addresses, files and lines")
    func program() {
      let (rows, files) = rows(table)
      #expect(rows == ["4096 1:11", "4098 1:12", "end 4101"])
      #expect(files == [1: "/App/Run.swift"])
    }

    @Test("are read to an end, whatever is in them")
    func damaged() {
      var random = SystemRandomNumberGenerator()
      let table = table
      for length in table.indices { #expect(rows(Array(table[..<length])).rows.count <= 3) }
      for _ in 0..<2000 {
        var bytes = table
        for _ in 0..<3 {
          bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255)
        }
        #expect(rows(bytes).rows.count < 100_000)
      }
    }
  }
#endif
