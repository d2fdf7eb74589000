#ifndef HEAP_H
#define HEAP_H

#include <stdbool.h>
#include <stdint.h>

/// The loops of the search for unreachable objects, which visit every word of a process once.
///
/// An unoptimized build of Swift needs 40 times as long for them. Addresses are those of the
/// process that is searched. Nothing here trusts an address or allocates memory.

/// A part of memory that consists of blocks of the allocator, one after the other.
struct heap_region {
  uintptr_t start;
  uintptr_t end;
  /// The index of the first block, and the number of blocks.
  uint32_t first;
  uint32_t count;
  /// The position of the region's first bit in `heap.bits`, a multiple of 64.
  uint64_t bit;
  /// Whether the last chunk has become larger than the part since the parts were listed.
  bool has_grown;
};

/// A condition for a word of a value: `(word & mask) == value`, or the opposite.
struct heap_condition {
  /// The offset in the value, in bytes.
  uint32_t offset;
  bool is_equal;
  uint64_t mask;
  uint64_t value;
};

enum heap_reference_kind {
  heap_word,
  /// An existential container, whose value has the references.
  heap_container,
  /// The value in the box of an error, which has the references.
  heap_error_value,
};

/// A word of a value that is a strong reference if all of its conditions are met. Such conditions
/// say which case of an enumeration the value has.
struct heap_reference {
  /// The offset in the value, in bytes.
  uint32_t offset;
  enum heap_reference_kind kind;
  uint16_t condition_count;
  /// The index of the first condition.
  uint32_t first_condition;
};

/// The strong references of a value, by their offsets. Those that may or may not be strong
/// references are left out. The arrays belong to the caller of `classify`.
struct heap_strong {
  const struct heap_reference *references;
  const struct heap_condition *conditions;
  uint32_t count;
};

/// What a block has after its fields.
enum heap_elements {
  heap_no_elements,
  heap_array,
  heap_set,
  heap_dictionary,
  heap_text,
  /// The buffer of a deque, whose elements wrap around.
  heap_deque,
};

/// What is known about the objects with the same first word.
struct heap_type {
  uintptr_t metadata;
  /// A bit for each of the first 64 words of an object. If it is set, the word doesn't retain
  /// anything: it is plain data, or an unowned or weak reference.
  uint64_t skipped;
  /// Whether words after the first 64 are skipped, too.
  bool skips_rest;
  /// The size of each object in bytes, or 0 if objects use whole blocks. The rest of a block can
  /// have old words.
  uint32_t size;
  /// The minimum size of an object, in bytes.
  uint32_t min_size;
  enum heap_elements elements;
  /// The offset of the first element of an array or a deque, in bytes. The third word of an array
  /// is the element count.
  uint32_t first_element;
  /// The distance between two elements, or between two keys, in bytes.
  uint32_t stride;
  /// The distance between two values of a dictionary, in bytes.
  uint32_t value_stride;
  /// Whether the elements of an array or a deque are existential containers, each with a value of
  /// any type.
  bool has_containers;
  /// A bit for each word of an element or a key that isn't a reference, and of a value of a
  /// dictionary.
  uint64_t skipped_in_element;
  uint64_t skipped_in_value;
  /// A bit for each of the first 64 words at which an existential container begins.
  uint64_t containers;
  /// Whether blocks with this first word are objects.
  bool is_object;
  /// Whether the objects are tasks. Something other than references can keep them alive.
  bool is_task;
  /// Whether `describe_object` returns the words of an object, because they depend on the object.
  bool depends_on_object;
  /// The words of an object, of an element or a key, and of a value of a dictionary.
  struct heap_strong strong;
  struct heap_strong strong_in_element;
  struct heap_strong strong_in_value;
  /// The number of blocks in use with this first word, and their size in bytes.
  uint32_t count;
  uint64_t bytes;
};

enum heap_state {
  /// The block is in use. The other bits are only set for blocks in use.
  heap_used = 1,
  heap_marked = 2,
  /// The block begins with an object.
  heap_object = 4,
  /// The words of the block are not references that keep something alive.
  heap_leaf = 8,
  /// Something points to the start of the block.
  heap_pointed = 16,
  /// Only the first part of the block is in use. See `heap_note_tables` and `heap_note_slabs`.
  heap_partial = 32,
  /// The block has a collection. Its unused part isn't followed.
  heap_collection = 64,
  /// The block has a collection that a stack refers to. It is in `collections`.
  heap_changing = 128,
};

/// Copies memory. Returns the number of bytes copied from the start, or a number below 1.
typedef long (*heap_read)(void *context, uintptr_t address, void *target, long count);

/// Returns what is known about blocks that begin with two words.
typedef struct heap_type (*heap_classify)(void *context, uintptr_t first, uintptr_t second);

/// A value in an existential container: the number of bytes that it uses there, or a negative
/// number if `type` isn't the metadata of a type, and its strong references.
struct heap_contained {
  long size;
  /// Whether the value is in the container, and not in a box.
  bool is_inline;
  struct heap_strong strong;
};

typedef struct heap_contained (*heap_describe_contained)(void *context, uintptr_t type);

/// Returns the strong references of the object at an address.
typedef struct heap_strong (*heap_describe_object)(void *context, uintptr_t object);

/// Returns the size of the task at an address in bytes, or 0 if it isn't known.
typedef uintptr_t (*heap_task_size)(void *context, uintptr_t task);

/// What is known about a key: the metadata of a type in existential containers, or the descriptor
/// of a C block.
struct heap_size {
  uintptr_t key;
  long size;
  bool is_inline;
  struct heap_strong strong;
};

struct heap_range {
  uintptr_t start;
  uintptr_t end;
};

/// The bit of a reference that leads from an object to a place after the start of a block.
static const uint32_t heap_edge_into = 1u << 31;

struct heap {
  /// Whether threads of the process run.
  bool is_running;
  /// Whether blocks are objects and what is between them, because the allocator isn't known.
  bool has_only_objects;
  /// Whether blocks are those of an allocator with blocks of one size next to each other.
  bool has_size_classes;
  const struct heap_region *regions;
  long region_count;
  /// A bit for each 16 bytes of all regions: a block begins here.
  uint64_t *bits;
  /// The number of blocks of the region before each word of `bits`.
  uint32_t *ranks;
  /// The distance of each block from the start of its region, in units of 16 bytes.
  uint32_t *starts;
  uint8_t *states;
  /// For each block, the number of strong references to its object for which no certain reference
  /// was found.
  int32_t *unexplained;
  /// A bit for each block: something other than an object keeps its object alive, or may do so.
  uint64_t *held;
  /// A bit for each block: all strong references to its object come from such objects.
  uint64_t *garbage;
  /// A bit for each block: it has frames of a task. A frame that owns an object is counted by the
  /// object, so what leads from there to objects doesn't matter for `garbage`. Most words are old.
  uint64_t *frames;
  /// The slabs of tasks, in lists of objects.
  uintptr_t *slabs;
  long slab_count;
  long slab_capacity;
  /// The caches of jemalloc's threads and the unused items of libdispatch in ascending order, in
  /// lists of objects.
  struct heap_range *caches;
  long cache_count;
  /// Whether blocks are marked for `garbage`.
  bool is_counting;
  /// Whether words of objects aren't followed that lead into another object, but not to its start: a
  /// strong reference leads to the start, so these are pointers that don't own it, or old words.
  bool ignores_insides;
  /// The second word of the blocks in the caches of glibc's threads, or 0 if it isn't known. A
  /// thread that runs can free a block after the lists were read.
  uintptr_t free_key;
  /// The first word of slabs, the parts of the memory of tasks, or 0 if it isn't known.
  uintptr_t slab_mark;
  long count;
  long capacity;
  /// The targets of the references of all blocks, with `heap_edge_into` for those that lead from an
  /// object into a block. The references of a block begin at its index in `edge_starts` and end
  /// before those of the next block.
  uint32_t *edges;
  uint32_t *edge_starts;
  long edge_count;
  long edge_capacity;
  /// The marked blocks whose references haven't been followed yet.
  uint32_t *open;
  long open_count;
  /// A table of types, a power of two in size. An entry without metadata is empty.
  struct heap_type *types;
  long type_capacity;
  /// The entries in use, at most half of all and one more. Most of the table is never touched.
  uint32_t *type_order;
  long type_count;
  /// The last sizes that were read. The number is a power of two.
  struct heap_size *sizes;
  long size_capacity;
  /// The collections that stacks refer to. A function may be adding elements to them that aren't
  /// counted yet.
  uint32_t *collections;
  long collection_count;
  long collection_capacity;
  /// The partly used blocks, by their addresses.
  struct heap_size *partial;
  long partial_count;
  long partial_capacity;
  /// A copy of the bits of a set or a dictionary, and its size in words.
  uint64_t *buckets;
  long bucket_capacity;
  /// A copy of the last page of which single words were read, and its address. An address that isn't
  /// that of a page stands for none.
  uintptr_t *page_words;
  uintptr_t page;
  /// A buffer for copies of memory, whose size is a multiple of a page.
  void *buffer;
  long buffer_size;
  heap_read read;
  heap_classify classify;
  heap_describe_contained describe_contained;
  heap_describe_object describe_object;
  heap_task_size task_size;
  void *context;
  /// The class of C closures on the heap, or 0.
  uintptr_t block_class;
  /// The lowest address of metadata, and the end.
  uintptr_t lowest_metadata;
  uintptr_t end_of_metadata;
};

/// Follows the chain of chunks of glibc from an address, and adds the blocks of the region to
/// `bits`, `starts` and `states`. The region's `start` must be the first chunk. Returns the address
/// after the last chunk, or 0 if there is no room for more.
///
/// Without memory for blocks (`starts` is null), it only counts the chunks, up to `limit`.
uintptr_t heap_list_chunks(struct heap *heap, struct heap_region *region, uintptr_t limit,
                           long *count);

/// Finds the objects of a region, whatever its allocator is, by their metadata and their counts, and
/// slabs of tasks and C closures. Adds a block for each of them, and others for what is between
/// them, which count as unused: their words can be those of the allocator, of memory of C, or of
/// objects that were freed.
///
/// - Parameter limit: The end of the part of the memory that the region belongs to. The rest of an
///   object can be in pages without content.
/// - Returns: False if there is no room for more.
bool heap_list_objects(struct heap *heap, struct heap_region *region, uintptr_t limit);

/// Finds the cache of a thread of jemalloc in a copy of the thread's variables from `index` on. Sets
/// `index` to the word after them, and `range` to the addresses of the cache. Returns the number of
/// its lists, or 0 if there is none.
long heap_find_cache(const uintptr_t *words, long *index, long count, struct heap_range *range);

/// Returns the next index at which a copy of memory can have the description of a span of tcmalloc, or
/// -1. `pages` has the numbers of the pages of all memory.
long heap_find_span(const uintptr_t *words, long from, long count, struct heap_range pages);

/// Returns the next index at which numbers are in a column of a copy of memory, or -1. `stride` is
/// the distance between two of them, in units of four bytes.
long heap_find_column(const int32_t *halves, long from, long count, long stride,
                      const int32_t *numbers, long number_count);

/// Adds blocks of one size to a region, the first of them at `start`. The rest of the range becomes
/// blocks that aren't in use. Returns false if there is no room for them.
bool heap_add_run(struct heap *heap, struct heap_region *region, struct heap_range range,
                  uintptr_t start, uintptr_t size, long count);

/// Adds the block of a region that consists of one block with its own mapping.
void heap_add_block(struct heap *heap, struct heap_region *region);

/// Returns the index of the first bin of an arena of glibc in a copy of memory, or -1. `address` is
/// the address of the first word of the copy.
long heap_find_bins(const uintptr_t *words, long from, long count, uintptr_t address);

/// Returns the next block in use that has a size, or -1.
long heap_next_of_size(const struct heap *heap, long block, uintptr_t size);

/// Returns the next block in use that isn't marked, or -1.
long heap_next_unmarked(const struct heap *heap, long block);

/// Finds the tables of the Swift runtime in a copy of its variables, and notes how much of each is
/// in use. A table (ConcurrentReadableHashMap in swift/Runtime/Concurrent.h) is a number of
/// elements and the address of a block. The block begins with its capacity. If the variables aren't
/// only those of the runtime, no element of a table may be a block, as those of the user's could.
void heap_note_tables(struct heap *heap, const uintptr_t *words, long count, bool are_of_runtime);

/// Computes `ranks` from `bits`.
void heap_rank(struct heap *heap);

/// Returns the index of the block that contains an address, or -1.
long heap_block(const struct heap *heap, uintptr_t address);

/// Returns the start of a block, and the address after its last byte.
uintptr_t heap_start(const struct heap *heap, long block);
uintptr_t heap_end(const struct heap *heap, long block);

/// Notes which blocks of a list of objects are slabs of tasks. Others only look like slabs.
void heap_note_slabs(struct heap *heap);

/// Returns the next index at which a copy of constants can have the pointer of an asynchronous
/// function (`AsyncFunctionPointer`), or -1: the distance to code, and the size of the function's
/// frame. `address` is that of the first word of the copy.
long heap_find_sizes(const int32_t *words, long from, long count, struct heap_range code,
                     uintptr_t address);

/// Notes the objects of a region and their types, without their references.
void heap_note_objects(struct heap *heap, long region);

/// Notes the objects and the references of all blocks of a region. The regions must be read in ascending order.
/// Returns false if there is no room for more references.
bool heap_read_region(struct heap *heap, long region);

struct heap_counts {
  /// The number of objects.
  long objects;
  /// The size of all blocks in use, in bytes.
  uint64_t bytes;
};

struct heap_counts heap_count(const struct heap *heap);

/// Returns the number of aligned places in a copy of memory that look like objects. If another
/// allocator uses the memory, it has objects.
long heap_count_objects(struct heap *heap, const uintptr_t *words, long count);

/// Where words are.
enum heap_words {
  /// In memory that isn't a stack.
  heap_words_of_memory,
  /// In memory that can be a stack.
  heap_words_of_unknown,
  /// In a stack or in registers.
  heap_words_of_stack,
};

/// Marks the blocks to which words lead. If they can be words of a stack, adds collections to
/// `collections`. Words of a stack don't lead to objects all of whose strong references are known:
/// a function that uses such an object without a reference of its own got it from an owner.
void heap_mark_words(struct heap *heap, const uintptr_t *words, long count, enum heap_words kind);

/// Marks all blocks to which marked blocks lead.
void heap_mark_all(struct heap *heap);

/// Marks everything to which memory leads that is between the objects of a list of objects.
void heap_mark_unused(struct heap *heap);

/// Marks the objects with strong references that other objects don't explain, and all blocks to
/// which these lead.
void heap_mark_unexplained(struct heap *heap);

/// Notes the objects that aren't marked in `garbage`, and removes all marks.
void heap_note_garbage(struct heap *heap);

/// Removes the marks of the objects in `garbage`.
void heap_unmark_garbage(struct heap *heap);

#endif
