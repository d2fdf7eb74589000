import HostSafety
import ProcessReading
import SystemLibrary

/// The values that the program gave to the kernel, which returns them later. They can be addresses.
struct KernelValues {
  private static let maxDescriptors = 1 << 14

  let addresses: [UInt]

  /// Reads the values of this process. Returns nil if the kernel may have others.
  init?() {
    var values: [UInt] = []
    let descriptors = ProcFile.numbers(in: "/proc/self/fd")
    guard descriptors.count < Self.maxDescriptors else { return nil }
    for descriptor in descriptors {
      guard let target = ProcFile.target(ofLink: "/proc/self/fd/\(descriptor)"),
        target.hasPrefix("anon_inode:")
      else { continue }
      // Requests to a ring have values that can't be read.
      if target.contains("io_uring") { return nil }
      guard target.contains("eventpoll") else { continue }
      guard let text = ProcFile.text("/proc/self/fdinfo/\(descriptor)") else { return nil }
      values += Self.values(after: "data:", in: text)
    }
    // The number of a signal, then the value that its handler gets.
    values += (ProcFile.text("/proc/self/timers") ?? "").split(separator: "\n")
      .filter { $0.hasPrefix("signal:") }
      .compactMap { $0.split(separator: "/").last.flatMap { UInt($0, radix: 16) } }
    addresses = values
  }

  /// Returns the hexadecimal numbers after a word.
  private static func values(after word: String, in text: String) -> [UInt] {
    let words = text.split { $0 == " " || $0 == "\n" || $0 == "\t" }
    return zip(words, words.dropFirst()).compactMap {
      $0 == word ? UInt($1, radix: 16) : nil
    }
  }
}
