// Compares the texts that the recorder makes of values with those of `String(describing:)`. Exits
// with 1 if some differ.
//
//     TextCorpus [SEED]   also compares values of 2,000 random types, which depend on the seed
//
// It is a program of its own so that it can be built with and without optimization: the layouts of
// types and the way to their descriptions differ.

import SystemLibrary

let seed = CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) } ?? 42
var comparison = Comparison()
compareNumbersAndTexts(&comparison)
compareStructures(&comparison)
compareEnumerations(&comparison)
compareCollections(&comparison)
compareContainers(&comparison)
compareOwnTexts(&comparison)
compareRandomTypes(&comparison, seed: seed)
comparison.report()
exit(comparison.differences.isEmpty ? 0 : 1)
