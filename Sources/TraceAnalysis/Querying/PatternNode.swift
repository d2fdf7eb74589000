/// A regular expression of the common kind, as a tree.
///
/// The common kind consists of characters, `.`, `[...]`, `\d`, `\w`, `\s`, groups, `|`, `^`, `$`,
/// and `*`, `+`, `?` and `{2,5}`. Such patterns need no memory of earlier matches, so that time
/// grows only with the length of a text.
indirect enum PatternNode {
  case one(PatternCharacters)
  case start, end
  case sequence([PatternNode])
  case either([PatternNode])
  /// A repetition; there is no limit if `most` is nil.
  case repeated(PatternNode, least: Int, most: Int?)
}
