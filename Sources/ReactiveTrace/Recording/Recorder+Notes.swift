import ReactiveKit
import TraceFormat

extension Recorder {
  /// Writes a note from the user.
  package func mark(_ name: String) {
    let time = clock.now
    guard let thread = enter() else { return }
    thread.pointee.line.begin(at: time, EncodedEvent(.mark))
    thread.pointee.line.text(.name, name)
    write(thread, at: time)
  }

  /// Begins a scope and returns its number.
  package func beginScope(_ name: String, inside outer: Int? = nil) -> Int {
    let time = clock.now
    let scope = scopes.next()
    guard let thread = enter() else { return scope }
    thread.pointee.line.begin(at: time, EncodedEvent(.scopeBegin))
    thread.pointee.line.integer(.scope, scope)
    if let outer { thread.pointee.line.integer(.outer, outer) }
    thread.pointee.line.text(.name, name)
    write(thread, at: time)
    return scope
  }

  package func endScope(_ scope: Int) {
    let time = clock.now
    guard let thread = enter() else { return }
    thread.pointee.line.begin(at: time, EncodedEvent(.scopeEnd))
    thread.pointee.line.integer(.scope, scope)
    write(thread, at: time)
  }
}
