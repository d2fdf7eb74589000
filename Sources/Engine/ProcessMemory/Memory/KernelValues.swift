import SystemLibrary

/// The values that a program gave to the kernel, which returns them later. They can be addresses.
package struct KernelValues {
  private static let maxDescriptors = 1 << 14

  package let addresses: [UInt]
  /// A Boolean value that indicates whether the kernel may have values that can't be read.
  package let areSomeUnknown: Bool

  /// Reads the values of a process. A core file doesn't have them.
  package init(of process: ProcessSource = .own) {
    guard let folder = process.folder else {
      addresses = []
      areSomeUnknown = true
      return
    }
    var values: [UInt] = []
    let descriptors = ProcFile.numbers(in: "\(folder)/fd")
    var isComplete = descriptors.count <= Self.maxDescriptors
    for descriptor in descriptors.prefix(Self.maxDescriptors) {
      guard let target = ProcFile.target(ofLink: "\(folder)/fd/\(descriptor)"),
        target.hasPrefix("anon_inode:")
      else { continue }
      // Requests to a ring have values that can't be read.
      if target.contains("io_uring") { isComplete = false }
      guard target.contains("eventpoll") else { continue }
      guard let text = ProcFile.text("\(folder)/fdinfo/\(descriptor)") else {
        isComplete = false
        continue
      }
      values += Self.values(after: "data:", in: text)
    }
    // The number of a signal, then the value that its handler gets.
    values += (ProcFile.text("\(folder)/timers") ?? "").split(separator: "\n")
      .filter { $0.hasPrefix("signal:") }
      .compactMap { $0.split(separator: "/").last.flatMap { UInt($0, radix: 16) } }
    addresses = values
    areSomeUnknown = !isComplete
  }

  /// Returns the hexadecimal numbers after a word.
  private static func values(after word: String, in text: String) -> [UInt] {
    let words = text.split { $0 == " " || $0 == "\n" || $0 == "\t" }
    return zip(words, words.dropFirst()).compactMap {
      $0 == word ? UInt($1, radix: 16) : nil
    }
  }
}
