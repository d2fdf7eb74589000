import TerminalUI
import TraceFormat
import TraceWords
import ViewerConsole

/// The classes that leaked objects keep alive, as branches below a retain cycle or below a title:
///
///     ╰─┼─ Ranger.forest   Forest
///       │  keeps alive
///       ├╌ 1,000 × Leaf    24,000 bytes
///       ╰╌ 101 × Array     11,960 bytes
struct HeldPicture {
  let classes: [LeakedObjects.Class]
  let page: Page

  /// The maximum number of classes.
  private static let maxClasses = 12
  private static let gap = "  "

  var lines: [Line] {
    guard !classes.isEmpty else { return [] }
    let isASCII = page.glyphs.isASCII
    let (trunk, fork, end) = isASCII ? ("  |  ", "  +. ", "  +. ") : ("  │  ", "  ├╌ ", "  ╰╌ ")
    var rows = classes.prefix(Self.maxClasses).map { item in
      let name = item.name.isEmpty ? "memory" : page.safe(item.name)
      let count = "\(CountText.number(item.count)) \(page.glyphs.times)"
      return (what: "\(count) \(name)", bytes: item.bytes)
    }
    let rest = classes.dropFirst(Self.maxClasses)
    if !rest.isEmpty {
      let bytes = rest.reduce(0) { $0 + $1.bytes }
      rows.append((CountText.make(rest.count, "other class", "other classes"), bytes))
    }
    let sizes = rows.map { CountText.make($0.bytes, "byte") }
    let sizeWidth = sizes.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    let room = max(8, page.width - trunk.count - Self.gap.count - sizeWidth)
    let names = rows.map { page.cutMiddle($0.what, to: room) }
    let width = names.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    let lines = names.indices.map { index in
      var line = Line(index == names.count - 1 ? end : fork, .dim)
      line.append(DisplayWidth.pad(names[index], to: width))
      line.append(Self.gap + DisplayWidth.padLeft(sizes[index], to: sizeWidth), .dim)
      return line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)
    }
    var title = Line(trunk, .dim)
    title.append("keeps alive", .dim)
    return [title.cut(to: page.width, ellipsis: page.glyphs.ellipsis)] + lines
  }
}
