import TraceFormat

/// The records of elements. Callers must pass elements one at a time, unless a function says
/// otherwise. The text of an element is made outside any lock, and only if it is written.
///
/// The code that calls these functions is specialized for its elements. Except for the inlined one,
/// the functions themselves are not generic.
extension TracedSubscription {
  /// Writes an element, with the text that `writer` makes.
  @inlinable
  @inline(__always)
  package func next<Element>(_ element: Element, _ writer: borrowing ValueWriter<Element>) {
    switch writer.way {
    case .known, .direct:
      if Element.self == Int.self {
        next(integer: unsafeBitCast(element, to: Int.self))
      } else if Element.self == String.self {
        next(text: unsafeBitCast(element, to: String.self))
      } else {
        let time = beginElement()
        guard time >= 0, let thread = openElement() else { return }
        writer.write(element, to: thread)
        finishElement(thread, at: time)
      }
    case .text:
      let time = beginElement()
      if time >= 0 { finishElement(writer.described(element), at: time) }
    case .silent: nextSilently()
    case .none: break
    }
  }

  @usableFromInline
  package func next(integer: Int) {
    let time = beginElement()
    guard time >= 0, let thread = openText() else { return }
    if let short = ShortText(integer), isQuick,
      FastElementWriter.write(short, nextLine, thread, at: time, hot)
    {
      return Recorder.leave()
    }
    thread.pointee.text.append(integer: integer)
    finishElement(thread, at: time)
  }

  @usableFromInline
  package func next(text: String) {
    let time = beginElement()
    if time >= 0 { finishElement(text, at: time) }
  }

  /// Writes an element without its text.
  @usableFromInline
  package func nextSilently() {
    let time = beginElement()
    if time >= 0 { writeSilentElement(at: time) }
  }

  /// Writes an element that may come from several threads at once.
  func nextConcurrently(text: String?) {
    guard !hasEnded, hot.isOpen else { return }
    let time = hot.now
    guard !hasEnded else { return }
    noteElementOfMany(at: time)
    guard hot.takesElements || check != nil else { return }
    if let text { finishElement(text, at: time) } else { writeSilentElement(at: time) }
  }

  /// Returns the time of an element, or a negative number if the element is not written. User code
  /// may run between this call and `finishElement`.
  @usableFromInline
  @inline(__always)
  package func beginElement() -> Int {
    guard !hasEnded, hot.isOpen else { return -1 }
    let time = hot.now
    // Check again now that the time is known. The time of an end is read after the end was noted,
    // so it is later than this time.
    guard !hasEnded else { return -1 }
    noteElement(at: time)
    return hot.takesElements || check != nil ? time : -1
  }

  /// Returns the thread's buffer for code that makes a text, or nil if the record is lost. A caller
  /// that gets the buffer must call `finishElement`.
  @usableFromInline
  package func openElement() -> UnsafeMutableRawPointer? {
    openText().map { UnsafeMutableRawPointer($0) }
  }

  /// Writes the element whose text is in the thread's buffer.
  @usableFromInline
  package func finishElement(_ thread: UnsafeMutableRawPointer, at time: Int) {
    finishElement(thread.assumingMemoryBound(to: ThreadContext.self), at: time)
  }

  @usableFromInline
  package func finishElement(_ text: String, at time: Int) {
    guard let thread = openText() else { return }
    var text = text
    let isDone = text.withUTF8 { bytes in
      if let short = ShortText(bytes), isQuick,
        FastElementWriter.write(short, nextLine, thread, at: time, hot)
      {
        return true
      }
      thread.pointee.text.append(bytes)
      return false
    }
    if isDone { Recorder.leave() } else { finishElement(thread, at: time) }
  }

  /// A Boolean value that indicates whether a record goes to a file and nothing else needs it.
  @inline(__always)
  var isQuick: Bool { hot.isFileAlone && check == nil }

  @inline(__always)
  private func openText() -> UnsafeMutablePointer<ThreadContext>? {
    guard let thread = hot.thread else { return nil }
    thread.pointee.text.begin(limit: hot.valueLimit)
    return thread
  }

  @inline(__always)
  private func finishElement(_ thread: UnsafeMutablePointer<ThreadContext>, at time: Int) {
    if check != nil { noteText(thread) }
    guard hot.isFileAlone, FastElementWriter.write(nextLine, thread, at: time, hot) else {
      return writeElementSlowPath(thread, at: time)
    }
    Recorder.leave()
  }
}
