// Compares the recorder's descriptions of values with those of `String(describing:)`. Exits
// with 1 if any differ.
//
//     TextCorpus [SEED]   also compares values of 2,000 random types, chosen by the seed
//
// This is a separate program so that it can be built with and without optimization, which changes
// the layouts of types and how they are described.

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
