#include "Heap.h"

#include <stddef.h>
#include <string.h>

// The layout of malloc_chunk in glibc's malloc/malloc.c on 64-bit systems. A chunk begins 16 bytes
// before its block.
enum {
  chunk_size = 8,
  chunk_block = 16,
  chunk_min = 32,
  is_previous_in_use = 1,
  is_mapped = 2,
  chunk_flags = 7,
  // The last bytes of a block are the start of the next chunk.
  chunk_overlap = 8,
  grain = 16,
  described_words = 64,
};

// See CollectionLayout. These are indices of words.
enum {
  array_count = 2,
  array_capacity = 3,
  text_capacity = 2,
  text_header = 32,
  table_scale = 4,
  table_keys = 6,
  table_values = 7,
  set_bits = 7,
  dictionary_bits = 8,
  max_scale = 40,
};

// See DequeLayout. These are indices of words.
enum { deque_capacity = 2, deque_count = 3, deque_first = 4 };
static const uintptr_t max_deque = (uintptr_t)1 << 40;

// See BlockLayout. The flags and the descriptor are indices of words.
enum {
  block_flags = 1,
  block_is_on_heap = 1 << 24,
  // The number of references, unless the closure is being freed.
  block_references = 0xFFFE,
  block_descriptor = 3,
  block_descriptor_size = 8,
  block_header = 32,
};

// See ExistentialLayout. Offsets and sizes are in bytes.
enum { container_inline = 24, container_type = 24 };

// See ErrorBoxLayout. The type, before the value.
enum { error_type = 16 };
// See SlabLayout. A task begins with at most so many words that aren't frames.
enum {
  slab_next = 1,
  slab_sizes = 2,
  slab_header = 32,
  task_fields = 28,
  task_words = 64,
  beginning = (task_words + 4) * 8,
};

// The bits of an address in user space. Programs that don't use locks keep a number in the others.
static const uintptr_t address_bits = 0x0000FFFFFFFFFFF8;
// The bits of a string's capacity in bytes. The highest bit of the word says whether an address
// comes after the text (StringStorage.swift in the standard library).
static const uintptr_t text_capacity_bits = 0x0000FFFFFFFFFFFF;

// The sizes of the frames of asynchronous functions that are believed.
enum { min_frame = 16, max_frame = 1 << 16 };

/// A part of the memory of the process in the buffer.
struct window {
  uintptr_t start;
  uintptr_t end;
};

/// Makes the buffer contain two words at an address, and more up to `needed` bytes if they can be
/// read, with up to `size` bytes before `end`. Returns them, or null.
static const uintptr_t *words_at(struct heap *heap, struct window *window, uintptr_t address,
                                 uintptr_t end, long size, uintptr_t needed) {
  if (address < window->start || address + needed > window->end) {
    const uintptr_t start = address & ~(uintptr_t)4095;
    long count = size;
    if ((uintptr_t)count > end - start) count = (long)(end - start);
    const long copied = heap->read(heap->context, start, heap->buffer, count);
    window->start = start;
    window->end = start + (copied > 0 ? (uintptr_t)copied : 0);
    if (address + grain > window->end) return NULL;
  }
  return (const uintptr_t *)((char *)heap->buffer + (address - window->start));
}

/// Reads a word with the page around it, because the next word that is needed is often near: side
/// tables come one after the other. A system call takes as long as a thousand words.
static bool read_word_in_page(struct heap *heap, uintptr_t address, uintptr_t *word) {
  const uintptr_t page = address & ~(uintptr_t)4095;
  if (address & 7) return heap->read(heap->context, address, word, 8) == 8;
  if (heap->page != page) {
    heap->page = page;
    if (heap->read(heap->context, page, heap->page_words, 4096) != 4096) heap->page = 1;
  }
  if (heap->page != page) return false;
  *word = heap->page_words[address % 4096 / 8];
  return true;
}

/// The maximum growth of a part during a search, in bytes.
static const uintptr_t max_growth = (uintptr_t)1 << 30;

static bool is_chunk_size(uintptr_t header, uintptr_t left) {
  const uintptr_t size = header & ~(uintptr_t)chunk_flags;
  return !(header & is_mapped) && size >= chunk_min && !(size & 15) && size <= left;
}

/// Adds a block to a region. Returns false if there is no room for it.
static bool add_block(struct heap *heap, struct heap_region *region, uintptr_t start, bool is_used) {
  if (heap->count == heap->capacity) return false;
  const uintptr_t distance = (start - region->start) / grain;
  const uint64_t bit = region->bit + distance;
  heap->bits[bit / 64] |= (uint64_t)1 << bit % 64;
  heap->starts[heap->count] = (uint32_t)distance;
  heap->states[heap->count] = is_used ? heap_used : 0;
  heap->count++;
  region->count++;
  return true;
}

uintptr_t heap_list_chunks(struct heap *heap, struct heap_region *region, uintptr_t limit,
                           long *count) {
  struct window window = {0, 0};
  // A few chunks are usually in a few pages.
  const long size = limit < 64 && heap->buffer_size > 16384 ? 16384 : heap->buffer_size;
  uintptr_t chunk = region->start;
  long found = 0;
  while (chunk + chunk_min <= region->end && (uintptr_t)found < limit) {
    const uintptr_t *words = words_at(heap, &window, chunk, region->end, size, grain);
    if (!words) break;
    if (!is_chunk_size(words[1], region->end - chunk)) {
      // The last chunk of an arena grows with the part. It isn't in use.
      region->has_grown =
          heap->is_running && is_chunk_size(words[1], region->end - chunk + max_growth);
      break;
    }
    // The chunk after a chunk says whether that one is in use.
    if (heap->starts && found && !(words[1] & is_previous_in_use)) {
      heap->states[heap->count - 1] = 0;
    }
    if (heap->starts && !add_block(heap, region, chunk + chunk_block, true)) return 0;
    found++;
    chunk += words[1] & ~(uintptr_t)chunk_flags;
  }
  *count = found;
  return chunk;
}

void heap_add_block(struct heap *heap, struct heap_region *region) {
  add_block(heap, region, region->start + chunk_block, true);
}

bool heap_add_run(struct heap *heap, struct heap_region *region, struct heap_range range,
                  uintptr_t start, uintptr_t size, long count) {
  // Smaller blocks have no place of their own.
  if (size && size % grain) return add_block(heap, region, range.start, true);
  if (range.start < start && !add_block(heap, region, range.start, false)) return false;
  for (long block = 0; block < count; block++) {
    if (!add_block(heap, region, start, true)) return false;
    start += size;
  }
  return start >= range.end || add_block(heap, region, start, false);
}

// The layout of malloc_state: 127 pairs of addresses. An empty one has the address of the chunk
// whose block it would be. In a program that has freed blocks of many sizes, most aren't empty.
enum { bin_pairs = 127, min_empty_pairs = 8 };

static bool is_empty_bin(const uintptr_t *words, long index, uintptr_t address) {
  const uintptr_t own = address + (uintptr_t)index * 8 - chunk_block;
  return words[index] == own && words[index + 1] == own;
}

long heap_find_bins(const uintptr_t *words, long from, long count, uintptr_t address) {
  for (long at = from; at + 2 <= count; at++) {
    if (!is_empty_bin(words, at, address)) continue;
    long empty = 0, last = 0;
    for (long pair = 0; pair < bin_pairs && at + pair * 2 + 2 <= count; pair++) {
      if (!is_empty_bin(words, at + pair * 2, address)) continue;
      empty++;
      last = pair;
    }
    // The last bin is for chunks of a size that is never in a bin.
    const long end = at + last * 2;
    if (empty >= min_empty_pairs && end >= (bin_pairs - 1) * 2) return end - (bin_pairs - 1) * 2;
  }
  return -1;
}

void heap_rank(struct heap *heap) {
  for (long index = 0; index < heap->region_count; index++) {
    const struct heap_region *region = &heap->regions[index];
    const uint64_t first = region->bit / 64;
    const uint64_t end = first + ((region->end - region->start) / grain + 64) / 64;
    uint32_t rank = 0;
    for (uint64_t word = first; word < end; word++) {
      heap->ranks[word] = rank;
      rank += (uint32_t)__builtin_popcountll(heap->bits[word]);
    }
  }
}

static const struct heap_region *region_of(const struct heap *heap, uintptr_t address) {
  long low = 0, high = heap->region_count;
  while (low < high) {
    const long middle = (low + high) / 2;
    if (heap->regions[middle].end <= address) low = middle + 1; else high = middle;
  }
  if (low == heap->region_count || address < heap->regions[low].start) return NULL;
  return &heap->regions[low];
}

/// Returns the block that contains an address of a region, or -1.
static long block_in(const struct heap *heap, const struct heap_region *region, uintptr_t address) {
  const uint64_t bit = region->bit + (address - region->start) / grain;
  // The bits up to and including this one.
  const uint64_t below = heap->bits[bit / 64] & (~(uint64_t)0 >> (63 - bit % 64));
  const long rank = (long)heap->ranks[bit / 64] + __builtin_popcountll(below);
  if (rank == 0) return -1;
  // Nothing leads to the header between two blocks, so it counts as a part of the first one.
  return (long)region->first + rank - 1;
}

long heap_block(const struct heap *heap, uintptr_t address) {
  const struct heap_region *region = region_of(heap, address);
  return region ? block_in(heap, region, address) : -1;
}

static const struct heap_region *region_of_block(const struct heap *heap, long block) {
  long low = 0, high = heap->region_count;
  while (high - low > 1) {
    const long middle = (low + high) / 2;
    if ((long)heap->regions[middle].first <= block) low = middle; else high = middle;
  }
  // Regions without blocks have the same first block as the one after them.
  while (low > 0 && heap->regions[low].count == 0) low--;
  return &heap->regions[low];
}

uintptr_t heap_start(const struct heap *heap, long block) {
  return region_of_block(heap, block)->start + (uintptr_t)heap->starts[block] * grain;
}

static uintptr_t end_in(const struct heap *heap, const struct heap_region *region, long block) {
  if (block + 1 >= (long)region->first + (long)region->count) return region->end;
  return region->start + (uintptr_t)heap->starts[block + 1] * grain
         - (heap->has_only_objects || heap->has_size_classes ? 0 : chunk_overlap);
}

uintptr_t heap_end(const struct heap *heap, long block) {
  return end_in(heap, region_of_block(heap, block), block);
}

static struct heap_type *type_of(struct heap *heap, uintptr_t first, uintptr_t second) {
  const long mask = heap->type_capacity - 1;
  long index = (long)((first >> 3) * 0x9E3779B97F4A7C15 >> 20) & mask;
  while (heap->types[index].metadata && heap->types[index].metadata != first) {
    index = (index + 1) & mask;
  }
  struct heap_type *type = &heap->types[index];
  if (type->metadata) return type;
  if (heap->type_count * 2 > heap->type_capacity) return NULL;
  const struct heap_type found = heap->classify(heap->context, first, second);
  // The call can't change the table.
  *type = found;
  type->metadata = first;
  heap->type_order[heap->type_count++] = (uint32_t)index;
  return type;
}

/// Returns whether a word can have the reference counts of a live object. See ReferenceCounts.
static bool are_counts(uintptr_t word) {
  if (word >> 63) return true;
  const uint32_t low = (uint32_t)word;
  return low & 1 && !(word >> 32 & 1) && low >= 2 && low < 1 << 24;
}

/// Returns the type of the object that begins with two words, or null if they aren't those of one.
static struct heap_type *type_of_object(struct heap *heap, const uintptr_t *words) {
  const uintptr_t first = words[0];
  if (first & 7 || first < heap->lowest_metadata || first >= heap->end_of_metadata
      || !are_counts(words[1])) {
    return NULL;
  }
  struct heap_type *type = type_of(heap, first, words[1]);
  return type && type->is_object ? type : NULL;
}

static void add_edge(struct heap *heap, uint32_t target, long *last) {
  if (*last == (long)target) return;
  *last = target;
  heap->edges[heap->edge_count++] = target;
}

// A block is less than the size of the smallest chunk larger than requested. A block with a mapping
// of its own has the rest of a page.
enum { block_surplus = 32, mapped_surplus = 4096 + 32, min_mapped = 64 << 10 };

/// Returns whether a block of a size can be an object of a type. Tables can begin like an object:
/// with a class and an odd number.
static bool can_be_object(const struct heap *heap, const struct heap_type *type, uintptr_t size) {
  if (size < type->min_size) return false;
  if (!type->size || heap->has_only_objects) return true;
  // The classes of sizes of all allocators are closer, except for those of a few pages.
  if (heap->has_size_classes && type->size > size / 2) return true;
  return size - type->size < (type->size < min_mapped ? block_surplus : mapped_surplus);
}

static void set_bit(uint64_t *bits, long block) { bits[block / 64] |= (uint64_t)1 << block % 64; }

static bool has_bit(const uint64_t *bits, long block) { return bits[block / 64] >> block % 64 & 1; }

static void hold(struct heap *heap, long block) { set_bit(heap->held, block); }

// See SideTableLayout. The sizes are those of the block, of glibc and of allocators with classes.
enum {
  table_counts = 16,
  table_size = 40,
  table_size_of_class = 32,
  // These are indices of words.
  table_strong = 2,
  table_weak = 3,
};
// The counts of an object that was deallocated, apart from the lowest bit.
static const uintptr_t counts_of_freed = (uintptr_t)1 << 32;

/// Returns the address of the side table of an object with a word with reference counts, or 0.
static uintptr_t side_table(uintptr_t counts) {
  return counts >> 62 == 3 ? counts << 3 & address_bits : 0;
}

/// Notes the number of strong references that an object says it has. The number in the word has no
/// reference as -1 and one as 0.
static void add_count(struct heap *heap, long block, uintptr_t counts) {
  const uintptr_t table = side_table(counts);
  if (table && !read_word_in_page(heap, table + table_counts, &counts)) {
    counts = ~(uintptr_t)0;
  }
  const bool is_known = !(counts >> 63) && !(counts >> 32 & 1);
  if (is_known) heap->unexplained[block] += (int32_t)(counts >> 33) + 1; else hold(heap, block);
}

/// Notes the object that a block begins with. Returns its type, or null if there is none.
static const struct heap_type *note_object(struct heap *heap, long block, const uintptr_t *words,
                                           uintptr_t size) {
  struct heap_type *type = type_of_object(heap, words);
  if (!type || !can_be_object(heap, type, size)) return NULL;
  heap->states[block] |= type->stride ? heap_object | heap_collection : heap_object;
  type->count++;
  type->bytes += size;
  return type;
}

/// Begins a block: notes its type and its side table. Returns the type, or null.
static const struct heap_type *begin_block(struct heap *heap, long block, const uintptr_t *words,
                                           uintptr_t size, long *last) {
  const struct heap_type *type = note_object(heap, block, words, size);
  if (!type) return NULL;
  const uintptr_t counts = words[1];
  add_count(heap, block, counts);
  if (type->is_task) hold(heap, block);
  if (side_table(counts)) {
    // The counts are in a side table, whose first word is the object.
    const long table = heap->has_only_objects ? -1 : heap_block(heap, side_table(counts));
    if (table >= 0) {
      heap->states[table] |= heap_leaf;
      add_edge(heap, (uint32_t)table, last);
    }
  }
  return type;
}

/// A table of a set or a dictionary: one value for each bucket. The offset and the distance between
/// two values are in bytes.
struct table {
  uintptr_t start;
  uintptr_t stride;
};

/// The buckets of a set or a dictionary.
struct buckets {
  /// The number of buckets, or 0 if they aren't known.
  uintptr_t count;
  uintptr_t header;
  struct table keys;
  struct table values;
};

/// Reads which buckets of a set or a dictionary are in use.
static struct buckets read_buckets(struct heap *heap, const struct window *window,
                                   const struct heap_type *type, uintptr_t start, uintptr_t size,
                                   const uintptr_t *words, long count) {
  const struct buckets unknown = {0, 0, {0, 0}, {0, 0}};
  const bool has_values = type->elements == heap_dictionary;
  const uintptr_t header = (has_values ? dictionary_bits : set_bits) * sizeof(uintptr_t);
  if ((uintptr_t)count * 8 < header) return unknown;
  const unsigned scale = words[table_scale] & 0xFF;
  if (scale > max_scale) return unknown;
  const uintptr_t buckets = (uintptr_t)1 << scale;
  const uintptr_t bytes = (buckets + 63) / 64 * 8;
  const uintptr_t keys = words[table_keys] - start;
  const uintptr_t values = has_values ? words[table_values] - start : size;
  // A table that is being made can have any words.
  if (header + bytes > size || keys < header + bytes || keys > size || values < keys
      || values > size
      || buckets * type->stride > values - keys
      || (has_values && buckets * type->value_stride > size - values)
      || bytes / 8 > (uintptr_t)heap->bucket_capacity) {
    return unknown;
  }
  const uintptr_t bits = start + header;
  if (bits + bytes <= window->end) {
    memcpy(heap->buckets, (const char *)words + header, bytes);
  } else if (heap->read(heap->context, bits, heap->buckets, (long)bytes) != (long)bytes) {
    return unknown;
  }
  return (struct buckets){
      buckets, header, {keys, type->stride}, {values, has_values ? type->value_stride : 0}};
}

/// The elements of a deque: so many from a position on, and then from the start of its memory.
struct ring {
  /// The number of places for elements, or 0 if it isn't known.
  uintptr_t capacity;
  uintptr_t count;
  uintptr_t first;
};

/// Reads which elements of a deque are in use.
static struct ring read_ring(const struct heap_type *type, uintptr_t size, const uintptr_t *words,
                             long count) {
  const struct ring unknown = {0, 0, 0};
  if (count <= deque_first || size < type->first_element) return unknown;
  const struct ring ring = {words[deque_capacity], words[deque_count], words[deque_first]};
  const bool is_valid = ring.capacity <= (size - type->first_element) / type->stride
                        && ring.count <= ring.capacity && ring.first <= ring.capacity;
  return is_valid ? ring : unknown;
}

/// Returns whether a word at an offset is in an element of a deque that isn't in use. Elements with
/// addresses consist of words.
static bool is_unused_in_ring(const struct heap_type *type, const struct ring *ring,
                              uintptr_t offset) {
  if (!ring->capacity || offset < type->first_element || type->stride % 8) return false;
  const uintptr_t place = (offset - type->first_element) / type->stride;
  return place >= ring->capacity
         || (place + ring->capacity - ring->first) % ring->capacity >= ring->count;
}

/// Returns whether a part of a word at an offset belongs to a bucket in use.
static bool is_in_use(const struct heap *heap, uintptr_t count, const struct table *table,
                      uintptr_t offset) {
  if (offset + 8 <= table->start || offset >= table->start + count * table->stride) return false;
  uintptr_t bucket = offset < table->start ? 0 : (offset - table->start) / table->stride;
  uintptr_t last = (offset + 7 - table->start) / table->stride;
  if (last >= count) last = count - 1;
  for (; bucket <= last; bucket++) {
    if (heap->buckets[bucket / 64] >> bucket % 64 & 1) return true;
  }
  return false;
}

/// Returns the place for the size with a key.
static struct heap_size *known_size(struct heap *heap, uintptr_t key) {
  return &heap->sizes[(key >> 3) * 0x9E3779B97F4A7C15 >> 20 & (uintptr_t)(heap->size_capacity - 1)];
}

/// Returns the size of a C closure, or 0 if the words aren't those of one.
static uintptr_t block_size(struct heap *heap, const uintptr_t *words, long count) {
  if (!heap->block_class || words[0] != heap->block_class || count <= block_descriptor) return 0;
  const uintptr_t descriptor = words[block_descriptor];
  if (!(words[block_flags] & block_is_on_heap) || !descriptor || descriptor & 7) return 0;
  struct heap_size *known = known_size(heap, descriptor);
  if (known->key != descriptor) {
    long size = 0;
    if (heap->read(heap->context, descriptor + block_descriptor_size, &size, 8) != 8) size = 0;
    *known = (struct heap_size){descriptor, size, false, {NULL, NULL, 0}};
  }
  return known->size >= block_header ? (uintptr_t)known->size : 0;
}

/// Returns what is known about a value of a type in an existential container.
static struct heap_contained contained(struct heap *heap, uintptr_t type) {
  // An empty optional.
  if (!type) return (struct heap_contained){0, true, {NULL, NULL, 0}};
  struct heap_size *known = known_size(heap, type);
  if (known->key != type) {
    const struct heap_contained found = heap->describe_contained(heap->context, type);
    *known = (struct heap_size){type, found.size, found.is_inline, found.strong};
  }
  return (struct heap_contained){known->size, known->is_inline, known->strong};
}

/// Copies a word of the process, which is usually in the buffer. Returns false if it can't be read.
static bool read_near(struct heap *heap, const struct window *window, uintptr_t place,
                      uintptr_t *word) {
  if (place >= window->start && place + 8 <= window->end) {
    memcpy(word, (const char *)heap->buffer + (place - window->start), 8);
    return true;
  }
  return read_word_in_page(heap, place, word);
}

/// Returns the offset of the existential container whose value has the word at an offset, or 0.
static uintptr_t container_at(const struct heap_type *type, uintptr_t offset) {
  uintptr_t container = 0;
  if (type->has_containers) {
    if (offset < type->first_element) return 0;
    container = offset - (offset - type->first_element) % type->stride;
  } else {
    const uintptr_t word = offset / 8;
    // The value has three words.
    const uintptr_t first = word < 2 ? 0 : word - 2;
    for (uintptr_t at = first; at <= word && at < described_words; at++) {
      if (type->containers >> at & 1) container = at * 8;
    }
  }
  return container && offset - container < container_inline ? container : 0;
}

/// Returns what is known about the value in an existential container. Its size is negative if it
/// isn't known.
static struct heap_contained contained_at(struct heap *heap, const struct window *window,
                                          uintptr_t container, uintptr_t end) {
  uintptr_t type = 0;
  if (container + container_type + 8 > end
      || !read_near(heap, window, container + container_type, &type)) {
    return (struct heap_contained){-1, false, {NULL, NULL, 0}};
  }
  // An enumeration around the container can use some bits of the address.
  return contained(heap, type & address_bits);
}

/// Returns what is known about the value in the box of an error. Its size is negative if the value
/// is too large for a container: its references aren't known here.
static struct heap_contained contained_in_error(struct heap *heap, const struct window *window,
                                                uintptr_t box) {
  uintptr_t type = 0;
  const struct heap_contained found =
      read_near(heap, window, box + error_type, &type)
          ? contained(heap, type) : (struct heap_contained){0, false, {NULL, NULL, 0}};
  return found.is_inline ? found : (struct heap_contained){-1, false, {NULL, NULL, 0}};
}

/// Returns whether a word at an offset is in the part of an existential container that its value
/// doesn't use.
static bool is_unused_in_container(struct heap *heap, const struct window *window,
                                   const struct heap_type *type, uintptr_t start, uintptr_t end,
                                   uintptr_t offset) {
  const uintptr_t container = container_at(type, offset);
  if (!container) return false;
  const long used = contained_at(heap, window, start + container, end).size;
  return used >= 0 && offset - container >= (uintptr_t)used;
}

/// Returns the end of the part of a block that its object uses.
static uintptr_t end_of_object(const struct heap_type *type, uintptr_t start, uintptr_t end,
                               const uintptr_t *words, long count) {
  uintptr_t size = type->size;
  if (type->elements == heap_array && count > array_count
      && words[array_count] < (end - start) / type->stride) {
    size = type->first_element + words[array_count] * type->stride;
  }
  size = (size + 7) & ~(uintptr_t)7;
  return size && size < end - start ? start + size : end;
}

// The block has the capacity in its first 4 bytes, and the elements, which are addresses, from its
// second word on. It is at most so many bytes larger than requested.
enum { table_header = 8, table_surplus = 16 };

/// Returns the number of bytes in use of a table that begins at an address, or 0 if it isn't one.
static uintptr_t used_of_table(struct heap *heap, uintptr_t start, uintptr_t end,
                               uintptr_t elements) {
  uint32_t capacity = 0;
  if (heap->read(heap->context, start, &capacity, 4) != 4) return 0;
  const uintptr_t full = table_header + (uintptr_t)capacity * 8;
  const uintptr_t surplus = heap->has_size_classes ? full : table_surplus;
  return capacity && full <= end - start && end - start - full <= surplus && elements <= capacity
             ? table_header + elements * 8 : 0;
}

// The size of the pools from which the runtime takes memory for metadata, and of what it notes at
// their ends (`MetadataAllocator` in the runtime's Metadata.cpp).
enum { pool_size = 16 << 10, pool_trailer = 16 };

/// Returns whether one of the elements of a table begins a block. Those of the runtime's tables are
/// in pools.
static bool has_blocks(struct heap *heap, uintptr_t table, uintptr_t count) {
  uintptr_t words[64];
  for (uintptr_t index = 0; index < count; index += 64) {
    const uintptr_t size = (count - index < 64 ? count - index : 64) * 8;
    if (heap->read(heap->context, table + table_header + index * 8, words, size) != size) return true;
    for (uintptr_t word = 0; word < size / 8; word++) {
      const long block = heap_block(heap, words[word]);
      if (block >= 0 && heap_start(heap, block) == words[word]) return true;
    }
  }
  return false;
}

void heap_note_tables(struct heap *heap, const uintptr_t *words, long count, bool are_of_runtime) {
  for (long index = 1; index < count; index++) {
    const long block = heap_block(heap, words[index]);
    if (block < 0) continue;
    const uintptr_t start = heap_start(heap, block), end = heap_end(heap, block);
    if ((heap->states[block] & (heap_used | heap_partial)) != heap_used) continue;
    // Metadata has no references to objects, but the space between has old words.
    const bool is_pool =
        words[index] != start && end - start - pool_size <= table_surplus
        && (are_of_runtime
            || (index + 1 < count
                && words[index] + words[index + 1] == start + pool_size - pool_trailer));
    uintptr_t used = 0;
    if (words[index] == start && (are_of_runtime || !(words[index - 1] & UINT32_MAX))) {
      const uintptr_t elements = words[index - 1] >> 32;
      used = used_of_table(heap, start, end, elements);
      if (used && !are_of_runtime && has_blocks(heap, start, elements)) used = 0;
    }
    if (!is_pool && !used) continue;
    if (heap->partial_count == heap->partial_capacity) return;
    heap->partial[heap->partial_count++] =
        (struct heap_size){.key = start, .size = (long)used};
    heap->states[block] |= heap_partial;
  }
}

/// Returns the size of an object with its elements and with its unused capacity. What comes after the
/// fields of an object isn't included if its size isn't known. Returns 0 if it isn't an object.
static uintptr_t whole_size(const struct heap_type *type, uintptr_t start, const uintptr_t *words,
                            long count) {
  if (type->elements != heap_no_elements && count <= table_values) return type->min_size;
  switch (type->elements) {
  case heap_no_elements: return type->size ? type->size : type->min_size;
  case heap_text:
    return text_header + (words[text_capacity] & text_capacity_bits)
           + (words[text_capacity] >> 63) * sizeof(uintptr_t);
  case heap_array: return type->first_element + (words[array_capacity] >> 1) * type->stride;
  case heap_deque:
    return words[deque_capacity] < max_deque
               ? type->first_element + words[deque_capacity] * type->stride : 0;
  case heap_set:
  case heap_dictionary: {
    const bool has_values = type->elements == heap_dictionary;
    const unsigned scale = words[table_scale] & 0xFF;
    if (scale > max_scale) return 0;
    return words[has_values ? table_values : table_keys] - start
           + ((uintptr_t)(has_values ? type->value_stride : type->stride) << scale);
  }
  }
  return 0;
}

/// Returns the size of a slab that begins with some words, with its unused part, or 0 if it isn't one.
static uintptr_t slab_size(const struct heap *heap, const uintptr_t *words, uintptr_t left) {
  if (!heap->slab_mark || words[0] != heap->slab_mark || left < slab_header) return 0;
  const uintptr_t capacity = words[slab_sizes] & 0xFFFFFFFF, used = words[slab_sizes] >> 32;
  return used <= capacity && capacity <= left - slab_header ? slab_header + capacity : 0;
}

/// Notes the slabs of a task that begins with some words. One of its fields leads to the first slab.
static void note_slabs(struct heap *heap, const uintptr_t *words, long count) {
  for (long word = 2; word < task_fields && word < count; word++) {
    uintptr_t slab = words[word], mark = 0;
    if (slab & 7 || slab < heap->lowest_metadata) continue;
    while (heap->slab_count < heap->slab_capacity
           && heap->read(heap->context, slab, &mark, 8) == 8 && mark == heap->slab_mark) {
      heap->slabs[heap->slab_count++] = slab;
      if (heap->read(heap->context, slab + slab_next * 8, &slab, 8) != 8) break;
    }
  }
}

/// Returns the size of what begins with some words: an object, a slab or a C closure on the heap.
/// Returns 0 if it is none of these.
static uintptr_t listed_size(struct heap *heap, uintptr_t at, uintptr_t limit,
                             const uintptr_t *words, long count) {
  const uintptr_t left = limit - at;
  const struct heap_type *type = type_of_object(heap, words);
  uintptr_t size = count > slab_sizes ? slab_size(heap, words, left) : 0;
  if (type) {
    if (type->is_task && heap->slab_mark) size = heap->task_size(heap->context, at);
    if (size) note_slabs(heap, words, count);
    if (!size) size = whole_size(type, at, words, count);
    if (size < type->min_size) return 0;
  } else if (!size && count > block_descriptor && words[block_flags] & block_references) {
    size = block_size(heap, words, count);
  }
  return size <= left ? (size + grain - 1) & ~(uintptr_t)(grain - 1) : 0;
}

bool heap_list_objects(struct heap *heap, struct heap_region *region, uintptr_t limit) {
  struct window window = {0, 0};
  // The end of the last object.
  uintptr_t end = region->start;
  uintptr_t at = region->start;
  while (at + grain <= region->end) {
    const uintptr_t needed = region->end - at < beginning ? region->end - at : beginning;
    const uintptr_t *words = words_at(heap, &window, at, region->end, heap->buffer_size, needed);
    if (!words) {
      at = (at & ~(uintptr_t)4095) + 4096;
      continue;
    }
    const uintptr_t size = listed_size(heap, at, limit, words, (long)(window.end - at) / 8);
    if (!size) {
      at += grain;
      continue;
    }
    if (end < at && !add_block(heap, region, end, false)) return false;
    if (!add_block(heap, region, at, true)) return false;
    end = at + size;
    at = end;
  }
  return end >= region->end || add_block(heap, region, end, false);
}

/// Returns the number of bytes of a block that are in use.
static uintptr_t partial_size(const struct heap *heap, uintptr_t start, uintptr_t size) {
  for (long index = 0; index < heap->partial_count; index++) {
    if (heap->partial[index].key == start) return (uintptr_t)heap->partial[index].size;
  }
  return size;
}

/// A block whose references are read.
struct block_reader {
  long block;
  uintptr_t start;
  /// The end of the part that is in use.
  uintptr_t end;
  /// False for what is between two objects.
  bool is_used;
  /// The type of the object at the start, or null.
  const struct heap_type *type;
  /// The strong references of the object if it isn't a collection.
  struct heap_strong strong;
  struct buckets buckets;
  struct ring ring;
  /// The target of the last reference, or -1.
  long last;
};

/// Returns the number of words until the end of a copy and of the part of the block that is in use.
static long words_until(const struct block_reader *reader, uintptr_t at, uintptr_t stop) {
  return (long)((stop < reader->end ? stop : reader->end) - at) / 8;
}

/// Returns the end of the used part of a slab that begins with a word, or 0 if it isn't a slab.
static uintptr_t end_of_slab(const struct heap *heap, const uintptr_t *words, uintptr_t start,
                             uintptr_t end) {
  if (!heap->slab_mark || words[0] != heap->slab_mark || start + slab_header > end) return 0;
  const uintptr_t capacity = words[slab_sizes] & 0xFFFFFFFF, used = words[slab_sizes] >> 32;
  if (used > capacity || capacity > end - start - slab_header) return 0;
  return start + ((slab_header + used + 7) & ~(uintptr_t)7);
}

/// Returns whether a block that begins with some words is the side table of an object. It stays as
/// long as weak references lead to it. After the object was deallocated, another one can be at its
/// address. The rest of the block has an old word.
static bool is_side_table(struct heap *heap, const struct block_reader *reader,
                          const uintptr_t *words, long count) {
  const uintptr_t size = heap->has_size_classes ? table_size_of_class : table_size;
  if (reader->end - reader->start != size || count <= table_weak
      || words[0] & (grain - 1) || !words[0] || !(uint32_t)words[table_weak]) {
    return false;
  }
  if ((words[table_strong] & ~(uintptr_t)1) == counts_of_freed) return true;
  uintptr_t counts = 0;
  return heap_block(heap, words[0]) >= 0
         && read_word_in_page(heap, words[0] + 8, &counts)
         && side_table(counts) == reader->start;
}

/// Reads the first words of a block, which determine its type and how much of it is in use. Returns
/// false if none of its words is a reference.
static bool read_beginning(struct heap *heap, struct block_reader *reader,
                           const struct window *window, const uintptr_t *words) {
  const uintptr_t start = reader->start;
  const uintptr_t size = block_size(heap, words, words_until(reader, start, window->end));
  // The rest of the block has old words.
  if (size && size < reader->end - start) reader->end = start + ((size + 7) & ~(uintptr_t)7);
  const long left = words_until(reader, start, window->end);
  const uintptr_t slab =
      left > slab_sizes ? end_of_slab(heap, words, start, reader->end) : 0;
  if (slab) {
    if (heap->has_only_objects && !(heap->states[reader->block] & heap_partial)) {
      // What remains of a slab that was freed. Its memory can be in use for something else.
      heap->states[reader->block] = 0;
      reader->is_used = false;
      return true;
    }
    reader->end = slab;
    set_bit(heap->frames, reader->block);
    return true;
  }
  const struct heap_type *type =
      begin_block(heap, reader->block, words, reader->end - start, &reader->last);
  if (!type) {
    return (!heap->free_key || left < 2 || words[1] != heap->free_key)
           && !is_side_table(heap, reader, words, left);
  }
  if (type->skips_rest && type->skipped == ~(uint64_t)0) return false;
  reader->type = type;
  reader->strong =
      type->depends_on_object ? heap->describe_object(heap->context, start) : type->strong;
  if (type->is_task) {
    set_bit(heap->frames, reader->block);
    // The first slab is the rest of the block.
    for (long word = 2; word < task_words && word + slab_sizes < left; word++) {
      const uintptr_t end =
          end_of_slab(heap, words + word, start + (uintptr_t)word * 8, reader->end);
      if (!end) continue;
      // What comes next can be a child, with a slab of its own.
      reader->end = end;
      break;
    }
    return true;
  }
  reader->end = end_of_object(type, start, reader->end, words,
                              words_until(reader, start, window->end));
  if (type->elements == heap_set || type->elements == heap_dictionary) {
    reader->buckets = read_buckets(heap, window, type, start, reader->end - start, words,
                                   words_until(reader, start, window->end));
  } else if (type->elements == heap_deque) {
    reader->ring = read_ring(type, reader->end - start, words,
                             words_until(reader, start, window->end));
  }
  return true;
}

/// Returns the offset of a word in an element, a key or a value of a collection, given its offset
/// in the collection; a negative number if it isn't in one.
static long place_in_element(const struct block_reader *reader, uintptr_t offset, bool *is_value) {
  const struct heap_type *type = reader->type;
  const struct buckets *buckets = &reader->buckets;
  *is_value = false;
  if (type->elements == heap_array || reader->ring.capacity) {
    if (offset < type->first_element) return -1;
    return (long)((offset - type->first_element) % type->stride);
  }
  if (type->elements == heap_no_elements || !buckets->count || offset < buckets->keys.start) {
    return -1;
  }
  if (type->elements == heap_dictionary && offset >= buckets->values.start) {
    *is_value = true;
    return type->value_stride ? (long)((offset - buckets->values.start) % type->value_stride) : -1;
  }
  return offset < buckets->keys.start + buckets->count * type->stride
             ? (long)((offset - buckets->keys.start) % type->stride) : -1;
}

/// Returns whether the type says that a word, given its offset, isn't a reference that keeps
/// something alive.
static bool is_skipped(struct heap *heap, const struct block_reader *reader,
                       const struct window *window, uintptr_t offset) {
  const struct heap_type *type = reader->type;
  const uintptr_t word = offset / 8;
  // A weak reference leads to a side table, whose words must not be followed. The table itself
  // stays as long as the reference.
  if (word < described_words ? type->skipped >> word & 1 : type->skips_rest) return true;
  if (reader->buckets.count && offset >= reader->buckets.header
      && !is_in_use(heap, reader->buckets.count, &reader->buckets.keys, offset)
      && !is_in_use(heap, reader->buckets.count, &reader->buckets.values, offset)) {
    return true;
  }
  if (is_unused_in_ring(type, &reader->ring, offset)) return true;
  bool is_value = false;
  const long place = place_in_element(reader, offset, &is_value);
  if (place >= 0 && place / 8 < described_words
      && (is_value ? type->skipped_in_value : type->skipped_in_element) >> place / 8 & 1) {
    return true;
  }
  return (type->containers || type->has_containers)
         && is_unused_in_container(heap, window, type, reader->start, reader->end, offset);
}

/// A value in a block: its start, and the end of the block.
struct place {
  uintptr_t start;
  uintptr_t end;
};

/// Returns whether a value meets the conditions of one of its references.
static bool meets_conditions(struct heap *heap, const struct window *window,
                             const struct heap_strong *strong,
                             const struct heap_reference *reference, uintptr_t value) {
  for (uint32_t index = 0; index < reference->condition_count; index++) {
    const struct heap_condition *condition =
        &strong->conditions[reference->first_condition + index];
    uintptr_t word = 0;
    if (!read_near(heap, window, value + condition->offset, &word)
        || ((word & condition->mask) == condition->value) != condition->is_equal) {
      return false;
    }
  }
  return true;
}

/// Returns whether a word at an offset of a value is certainly a strong reference. Values can be in
/// existential containers in values, up to a depth.
static bool is_strong_in(struct heap *heap, const struct window *window, struct heap_strong strong,
                         struct place value, uintptr_t offset, int depth) {
  for (uint32_t index = 0; index < strong.count; index++) {
    const struct heap_reference *reference = &strong.references[index];
    if (reference->offset > offset) return false;
    if (reference->kind == heap_word && reference->offset != offset) continue;
    if (reference->kind == heap_container && offset - reference->offset >= container_inline) {
      continue;
    }
    if (!meets_conditions(heap, window, &strong, reference, value.start)) continue;
    if (reference->kind == heap_word) return true;
    if (depth == 0) continue;
    const struct place inner = {value.start + reference->offset, value.end};
    const struct heap_contained found =
        reference->kind == heap_error_value
            ? contained_in_error(heap, window, value.start)
            : contained_at(heap, window, inner.start, inner.end);
    if (found.size > 0
        && is_strong_in(heap, window, found.strong, inner, offset - reference->offset,
                        depth - 1)) {
      return true;
    }
  }
  return false;
}

// An inline value has three words, so that it is at most the beginning of another container.
enum { max_containers = 2 };

/// Returns whether the type says that a word, given its offset, is certainly a strong reference.
static bool is_strong(struct heap *heap, const struct block_reader *reader,
                      const struct window *window, uintptr_t offset) {
  const struct heap_type *type = reader->type;
  if (type->elements == heap_no_elements) {
    const struct place object = {reader->start, reader->end};
    return is_strong_in(heap, window, reader->strong, object, offset, max_containers);
  }
  bool is_value = false;
  const long in_element = place_in_element(reader, offset, &is_value);
  if (in_element < 0) return false;
  const struct place element = {reader->start + offset - (uintptr_t)in_element, reader->end};
  return is_strong_in(heap, window, is_value ? type->strong_in_value : type->strong_in_element,
                      element, (uintptr_t)in_element, max_containers);
}

// The layout of cache_bin_t of jemalloc 5.3 (include/jemalloc/internal/cache_bin.h). A thread has one
// for each size of blocks. Its head leads to a place in an array of addresses, whose start, end and
// unused part are the lowest 16 bits of addresses. The arrays come one after the other.
enum { bin_words = 3, bin_bounds = 2, min_bins = 16 };

/// Returns the size of the array of a bin, or 0 if the words aren't those of a bin.
static uint16_t bin_size(const uintptr_t *bin) {
  const uint16_t first = (uint16_t)(bin[bin_bounds] >> 16), end = (uint16_t)(bin[bin_bounds] >> 32);
  const uint16_t size = (uint16_t)(end - first), used = (uint16_t)(end - (uint16_t)bin[0]);
  const bool is_bin = bin[0] && !((bin[0] | first | size) & 7) && !(bin[bin_bounds] >> 48);
  return is_bin && used <= size ? size : 0;
}

long heap_find_cache(const uintptr_t *words, long *index, long count, struct heap_range *range) {
  for (; *index + bin_words <= count; ++*index) {
    const uintptr_t *first = words + *index;
    const uint16_t start = (uint16_t)(first[bin_bounds] >> 16);
    uint16_t end = start;
    range->start = first[0] - (uint16_t)((uint16_t)first[0] - start);
    range->end = range->start;
    long bins = 0;
    for (const uintptr_t *bin = first; bin + bin_words <= words + count; bin += bin_words) {
      const uint16_t size = bin_size(bin);
      if (!size || (uint16_t)(bin[bin_bounds] >> 16) != end) break;
      end = (uint16_t)(end + size);
      range->end += size;
      bins++;
    }
    if (bins < min_bins) continue;
    *index += bins * bin_words;
    return bins;
  }
  return 0;
}

// The layout of Span in gperftools' src/span.h, in words: the number of the first page, the number of
// pages, two neighbors in a list, the first free block, and bits.
// The bits have the class of sizes, and whether the span isn't in use. Only spans in use with such a
// class have a list of blocks.
enum {
  span_pages = 1,
  span_free = 4,
  span_bits = 5,
  span_words = 6,
  span_class = 0xFF << 16,
  span_place = 3 << 24,
  max_span_bits = 27,
};

long heap_find_span(const uintptr_t *words, long from, long count, struct heap_range pages) {
  const uintptr_t page = 1 << 13;
  for (long index = from; index + span_words <= count; index++) {
    const uintptr_t first = words[index], length = words[index + span_pages];
    if (first < pages.start || first >= pages.end || !length || length > pages.end - first
        || words[index + span_bits] >> max_span_bits) {
      continue;
    }
    const uintptr_t free = words[index + span_free];
    const bool has_neighbors = words[index + 2] && words[index + 3];
    if ((words[index + 2] | words[index + 3]) & 7 || has_neighbors != (words[index + 2] != 0)) {
      continue;
    }
    const uintptr_t bits = words[index + span_bits];
    if (!free || !(bits & span_class) || bits & span_place
        || (free >= first * page && free < (first + length) * page)) {
      return index;
    }
  }
  return -1;
}

long heap_find_column(const int32_t *halves, long from, long count, long stride,
                      const int32_t *numbers, long number_count) {
  for (long index = from; index + (number_count - 1) * stride < count; index++) {
    long found = 0;
    while (found < number_count && halves[index + found * stride] == numbers[found]) found++;
    if (found == number_count) return index;
  }
  return -1;
}

/// Returns whether a place is in a cache of a thread.
static bool is_cache(const struct heap *heap, uintptr_t place) {
  long low = 0, high = heap->cache_count;
  while (low < high) {
    const long middle = (low + high) / 2;
    if (heap->caches[middle].end <= place) low = middle + 1; else high = middle;
  }
  return low < heap->cache_count && heap->caches[low].start <= place;
}

/// Notes a word that is an address between the lowest and the highest block.
///
/// - Parameter around: The region to which the previous reference leads. Most references lead to
///   the same one.
static void read_word(struct heap *heap, struct block_reader *reader, const struct window *window,
                      const struct heap_region **around, uintptr_t target, uintptr_t offset) {
  if (target < (*around)->start || target >= (*around)->end) {
    const struct heap_region *other = region_of(heap, target);
    if (!other) return;
    *around = other;
  }
  const long found = block_in(heap, *around, target);
  if (found < 0) return;
  if (!reader->is_used) {
    // A cache still has the addresses of blocks that are in use now. A slab belongs to its task, and
    // its start doesn't let the task continue. Inside of it can be a child, which its address does.
    const bool is_slab = heap->states[found] & heap_partial
                         && target == (*around)->start + (uintptr_t)heap->starts[found] * grain;
    if (!is_slab && !is_cache(heap, reader->start + offset)) {
      add_edge(heap, (uint32_t)found, &reader->last);
    }
    return;
  }
  if (reader->type && is_skipped(heap, reader, window, offset)) return;
  const bool is_start = target == (*around)->start + (uintptr_t)heap->starts[found] * grain;
  if (is_start && reader->type && is_strong(heap, reader, window, offset)) {
    heap->unexplained[found]--;
  }
  if (found == reader->block) return;
  if (is_start) {
    heap->states[found] |= heap_pointed;
    if (!reader->type && !has_bit(heap->frames, reader->block)) hold(heap, found);
  }
  const uint32_t into = is_start || !reader->type ? 0 : heap_edge_into;
  add_edge(heap, (uint32_t)found | into, &reader->last);
}

/// Notes the references of a block. Returns false if there is no room for more.
static bool read_block(struct heap *heap, const struct heap_region *region, struct window *window,
                       const struct heap_region **around, struct block_reader *reader) {
  const uintptr_t lowest = heap->regions[0].start;
  const uintptr_t highest = heap->regions[heap->region_count - 1].end;
  for (uintptr_t at = reader->start; at < reader->end;) {
    // The header of a collection and the fields of a task are needed as a whole.
    uintptr_t needed = grain;
    if (at == reader->start) {
      needed = reader->end - at < beginning ? reader->end - at : beginning;
    }
    // A page that can't be read has no references.
    if (!words_at(heap, window, at & ~(uintptr_t)15, region->end, heap->buffer_size, needed)) {
      at = (at & ~(uintptr_t)4095) + 4096;
      continue;
    }
    const uintptr_t *words = (const uintptr_t *)((char *)heap->buffer + (at - window->start));
    if (heap->edge_count + words_until(reader, at, window->end) + 2 > heap->edge_capacity) {
      return false;
    }
    if (at == reader->start && reader->is_used && !read_beginning(heap, reader, window, words)) {
      return true;
    }
    const long count = words_until(reader, at, window->end);
    for (long word = 0; word < count; word++) {
      const uintptr_t target = words[word] & address_bits;
      if (target < lowest || target >= highest) continue;
      read_word(heap, reader, window, around, target, at - reader->start + (uintptr_t)word * 8);
    }
    at = window->end;
  }
  return true;
}

void heap_note_slabs(struct heap *heap) {
  for (long index = 0; index < heap->slab_count; index++) {
    const long block = heap_block(heap, heap->slabs[index]);
    if (block >= 0 && heap_start(heap, block) == heap->slabs[index]) {
      heap->states[block] |= heap_partial;
    }
  }
}

long heap_find_sizes(const int32_t *words, long from, long count, struct heap_range code,
                     uintptr_t address) {
  for (long index = from; index + 1 < count; index++) {
    const uintptr_t target = address + (uintptr_t)index * 4 + (uintptr_t)(intptr_t)words[index];
    const uint32_t size = (uint32_t)words[index + 1];
    if (target >= code.start && target < code.end && size >= min_frame && size <= max_frame) {
      return index;
    }
  }
  return -1;
}

bool heap_read_region(struct heap *heap, long index) {
  const struct heap_region *region = &heap->regions[index];
  const struct heap_region *around = region;
  struct window window = {0, 0};
  for (long block = region->first; block < (long)region->first + (long)region->count; block++) {
    heap->edge_starts[block] = (uint32_t)heap->edge_count;
    const bool is_used = (heap->states[block] & (heap_used | heap_leaf)) == heap_used;
    if (is_used || heap->has_only_objects) {
      const uintptr_t start = region->start + (uintptr_t)heap->starts[block] * grain;
      struct block_reader reader = {
          block, start, end_in(heap, region, block), is_used, NULL, {NULL, NULL, 0},
          {0, 0, {0, 0}, {0, 0}}, {0, 0, 0}, -1};
      if (heap->states[block] & heap_partial) {
        reader.end = start + partial_size(heap, start, reader.end - start);
      }
      if (!read_block(heap, region, &window, &around, &reader)) return false;
    }
    heap->edge_starts[block + 1] = (uint32_t)heap->edge_count;
  }
  return true;
}

void heap_note_objects(struct heap *heap, long index) {
  const struct heap_region *region = &heap->regions[index];
  struct window window = {0, 0};
  for (long block = region->first; block < (long)region->first + (long)region->count; block++) {
    if (!(heap->states[block] & heap_used)) continue;
    const uintptr_t start = region->start + (uintptr_t)heap->starts[block] * grain;
    const uintptr_t *words = words_at(heap, &window, start, region->end, heap->buffer_size, grain);
    if (words) note_object(heap, block, words, end_in(heap, region, block) - start);
  }
}

static void mark(struct heap *heap, long block) {
  if ((heap->states[block] & (heap_used | heap_marked)) != heap_used) return;
  heap->states[block] |= heap_marked;
  heap->open[heap->open_count++] = (uint32_t)block;
}

static bool is_explained(const struct heap *heap, long block) {
  return heap->states[block] & heap_object && !has_bit(heap->held, block)
         && !heap->unexplained[block];
}

void heap_mark_words(struct heap *heap, const uintptr_t *words, long count, enum heap_words kind) {
  if (!heap->region_count) return;
  const uintptr_t lowest = heap->regions[0].start;
  const uintptr_t highest = heap->regions[heap->region_count - 1].end;
  for (long index = 0; index < count; index++) {
    const uintptr_t target = words[index] & address_bits;
    if (target < lowest || target >= highest) continue;
    const long block = heap_block(heap, target);
    if (block < 0) continue;
    if (target == heap_start(heap, block)) heap->states[block] |= heap_pointed;
    if (kind != heap_words_of_stack || !is_explained(heap, block)) mark(heap, block);
    if (kind != heap_words_of_memory
        && (heap->states[block] & (heap_collection | heap_changing)) == heap_collection
        && heap->collection_count < heap->collection_capacity) {
      heap->states[block] |= heap_changing;
      heap->collections[heap->collection_count++] = (uint32_t)block;
    }
  }
}

void heap_mark_all(struct heap *heap) {
  while (heap->open_count) {
    const uint32_t block = heap->open[--heap->open_count];
    if (heap->states[block] & heap_leaf) continue;
    const bool is_of_frames = heap->is_counting && has_bit(heap->frames, block);
    for (uint32_t edge = heap->edge_starts[block]; edge < heap->edge_starts[block + 1]; edge++) {
      const uint32_t target = heap->edges[edge] & ~heap_edge_into;
      const bool is_object = heap->states[target] & heap_object;
      if (is_of_frames && is_object) continue;
      if (heap->ignores_insides && heap->edges[edge] & heap_edge_into && is_object
          && !has_bit(heap->frames, target)) {
        continue;
      }
      mark(heap, target);
    }
  }
}

void heap_mark_unused(struct heap *heap) {
  for (long block = 0; block < heap->count; block++) {
    if (heap->states[block] & heap_used) continue;
    for (uint32_t edge = heap->edge_starts[block]; edge < heap->edge_starts[block + 1]; edge++) {
      mark(heap, heap->edges[edge]);
    }
  }
  heap_mark_all(heap);
}

void heap_mark_unexplained(struct heap *heap) {
  for (long block = 0; block < heap->count; block++) {
    if (heap->states[block] & heap_object && !is_explained(heap, block)) mark(heap, block);
  }
  heap_mark_all(heap);
}

void heap_note_garbage(struct heap *heap) {
  for (long block = 0; block < heap->count; block++) {
    const bool is_garbage = (heap->states[block] & (heap_object | heap_marked)) == heap_object;
    heap->garbage[block / 64] |= (uint64_t)is_garbage << block % 64;
    heap->states[block] &= (uint8_t)~heap_marked;
  }
}

void heap_unmark_garbage(struct heap *heap) {
  for (long word = 0; word < (heap->count + 63) / 64; word++) {
    for (uint64_t bits = heap->garbage[word]; bits; bits &= bits - 1) {
      heap->states[word * 64 + __builtin_ctzll(bits)] &= (uint8_t)~heap_marked;
    }
  }
}

long heap_next_of_size(const struct heap *heap, long block, uintptr_t size) {
  if (!heap->region_count) return -1;
  const long first = region_of_block(heap, block) - heap->regions;
  for (long index = first; index < heap->region_count; index++) {
    const struct heap_region *region = &heap->regions[index];
    const long end = (long)region->first + (long)region->count;
    if (block < (long)region->first) block = region->first;
    for (; block < end; block++) {
      const uintptr_t start = region->start + (uintptr_t)heap->starts[block] * grain;
      if (heap->states[block] & heap_used && end_in(heap, region, block) - start == size) {
        return block;
      }
    }
  }
  return -1;
}

long heap_next_unmarked(const struct heap *heap, long block) {
  for (; block < heap->count; block++) {
    if ((heap->states[block] & (heap_used | heap_marked)) == heap_used) return block;
  }
  return -1;
}

struct heap_counts heap_count(const struct heap *heap) {
  struct heap_counts counts = {0, 0};
  for (long index = 0; index < heap->region_count; index++) {
    const struct heap_region *region = &heap->regions[index];
    for (long block = region->first; block < (long)region->first + (long)region->count; block++) {
      if (!(heap->states[block] & heap_used)) continue;
      counts.bytes += end_in(heap, region, block) - region->start
                      - (uintptr_t)heap->starts[block] * grain;
      if (heap->states[block] & heap_object) counts.objects++;
    }
  }
  return counts;
}

long heap_count_objects(struct heap *heap, const uintptr_t *words, long count) {
  long found = 0;
  for (long index = 0; index + 1 < count; index += 2) {
    if (type_of_object(heap, words + index)) found++;
  }
  return found;
}
