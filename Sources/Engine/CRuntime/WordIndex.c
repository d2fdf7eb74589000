#include "WordIndex.h"

static uint32_t hash(const struct trace_word_index *table, uint64_t word) {
  return (uint32_t)((word >> 3) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - table->hash_bits));
}

static struct trace_word_entry *entry(const struct trace_word_index *table, uint32_t number) {
  return &table->chunks[(number - 1) / trace_word_chunk][(number - 1) % trace_word_chunk];
}

long trace_index_words(struct trace_word_index *table, const uint64_t *words, long index, long count,
                       uint64_t address) {
  const uint64_t mask = table->mask, lowest = table->lowest, size = table->highest - lowest;
  const uint8_t *const filter = table->filter;
  for (; index < count; index++) {
    const uint64_t word = words[index] & mask;
    if (word - lowest > size) continue;
    const uint64_t bit = (word >> 20) & 0xFFFF;
    if (!(filter[bit >> 3] >> (bit & 7) & 1)) continue;
    if (table->count == table->capacity) return index;
    const uint32_t number = ++table->count;
    uint32_t *const last = &table->last[hash(table, word)];
    *entry(table, number) = (struct trace_word_entry){
      .place = address + (uint64_t)index * 8, .word = (uint32_t)(word >> 3), .previous = *last};
    *last = number;
  }
  return count;
}

uint32_t trace_previous_place(const struct trace_word_index *table, uint64_t word, uint32_t after,
                              uint64_t *place) {
  uint32_t number = after ? entry(table, after)->previous : table->last[hash(table, word)];
  while (number) {
    const struct trace_word_entry *const at = entry(table, number);
    if (at->word == (uint32_t)(word >> 3)) {
      *place = at->place;
      break;
    }
    number = at->previous;
  }
  return number;
}
