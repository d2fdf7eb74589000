/// A regular expression of the common kind, as a tree.
///
/// Those are characters, `.`, `[...]`, `\d`, `\w`, `\s`, groups, `|`, `^`, `$`, and `*`, `+`, `?` and `{2,5}`: what needs no
/// memory of what was matched, so that time grows with the length of a text only.
indirect enum PatternNode {
  case one(PatternCharacters)
  case start, end
  case sequence([PatternNode])
  case either([PatternNode])
  /// No limit where `most` is nil.
  case repeated(PatternNode, least: Int, most: Int?)
}
