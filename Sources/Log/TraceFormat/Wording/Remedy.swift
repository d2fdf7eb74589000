extension Retention {
  /// A description of how to fix a leak.
  package struct Remedy: Sendable, Equatable {
    /// One or two sentences.
    package let text: String
    /// The capture list to add, such as `[weak self]`, if that is the remedy.
    let captureList: String?
    /// A Boolean value that indicates whether the text only recommends the capture list.
    let isOnlyCaptureList: Bool

    package init(_ text: String, captureList: String? = nil, isOnlyCaptureList: Bool = false) {
      self.text = text
      self.captureList = captureList
      self.isOnlyCaptureList = isOnlyCaptureList
    }

    /// A short form of the remedy, for the mark at the step to break: the capture list, or the text
    /// without its final period.
    package var brief: String {
      captureList ?? (text.hasSuffix(".") ? String(text.dropLast()) : text)
    }

    /// A Boolean value that indicates whether `brief` contains the whole remedy.
    package var isBrief: Bool { captureList == nil || isOnlyCaptureList }

    /// The remedy, followed by another sentence.
    func then(_ sentence: String) -> Remedy {
      Remedy("\(text) \(sentence)", captureList: captureList)
    }

    static func capture(_ name: String) -> Remedy {
      Remedy(
        "Capture \(name) weakly: [weak \(name)].", captureList: "[weak \(name)]",
        isOnlyCaptureList: true)
    }
  }
}
