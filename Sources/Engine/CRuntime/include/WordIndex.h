#ifndef WORD_INDEX_H
#define WORD_INDEX_H

#include <stdint.h>

/// A place in memory with a word that can be the address of an object.
struct trace_word_entry {
  /// The address of the word.
  uint64_t place;
  /// Bits 3 to 34 of the word.
  uint32_t word;
  /// The number of the previous entry with the same hash, or 0.
  uint32_t previous;
};

/// A hash table from words to the places that have them. Its memory has fixed sizes, so that
/// filling it allocates nothing.
struct trace_word_index {
  /// The bits of a word that count.
  uint64_t mask;
  /// The range of the words to store.
  uint64_t lowest;
  uint64_t highest;
  /// The bits of the words to store: bit number (word >> 20) % 65536.
  const uint8_t *filter;
  /// The number of the last entry for each hash, or 0.
  uint32_t *last;
  /// The number of bits of a hash.
  uint32_t hash_bits;
  /// The number of entries. The numbers begin at 1.
  uint32_t count;
  /// The number of entries that fit into the chunks.
  uint32_t capacity;
  /// The chunks of entries, each with `trace_word_chunk` entries.
  struct trace_word_entry **chunks;
};

/// The number of entries in a chunk, which takes 8 MB.
enum { trace_word_chunk = 1 << 19 };

/// Stores those of `count` words, from `index` on, that are in the range and the filter. The first
/// word has the address `address`. Returns the index of the first word that wasn't examined because
/// the chunks are full, or `count`.
long trace_index_words(struct trace_word_index *table, const uint64_t *words, long index, long count,
                       uint64_t address);

/// Returns the number of the next entry with a word, or 0 if there isn't one. Each entry comes
/// before those with lower numbers. The entry may have another word with the same bits 3 to 34.
///
/// - `after`: The number of the entry that was returned before, or 0 for the first call.
uint32_t trace_previous_place(const struct trace_word_index *table, uint64_t word, uint32_t after,
                              uint64_t *place);

#endif
