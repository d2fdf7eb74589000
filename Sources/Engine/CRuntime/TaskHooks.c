#define _GNU_SOURCE
#include "OwnProcess.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TRACE_IS_SANITIZED
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__)) && \
    __has_attribute(swiftasynccall)

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The layout of a task. See TaskLayout in SwiftRuntime, which checks its version and its size.
enum { resume_context = 64, exclusivity_set = 80 };
// AsyncContext in swift/ABI/Task.h: the caller's frame, and the function where the caller resumes.
struct async_context {
  struct async_context *parent;
  void *resume_parent;
};
// TaskCreateFlags in swift/ABI/MetadataValues.h
enum { enqueues_job = 0x1000 };
// TaskOptionRecordKind in swift/ABI/MetadataValues.h
enum { initial_serial_executor = 0, async_let_with_buffer = 3 };
// TaskOptionRecord in swift/ABI/TaskOptions.h
struct task_option {
  size_t flags;
  const struct task_option *parent;
  void *content[2];
};
struct task_and_context {
  char *task;
  struct async_context *context;
};

typedef __attribute__((swiftcall)) struct task_and_context (*create_function)(
    size_t flags, const struct task_option *options, const void *type, const int32_t *entry,
    void *closure);
typedef __attribute__((swiftcall)) void (*begin_function)(
    void *let, const struct task_option *options, const void *type, const int32_t *entry,
    void *closure, void *buffer);
typedef __attribute__((swiftcall)) void (*enqueue_function)(void *task, void *executor, void *witness);
typedef __attribute__((swiftcall)) uintptr_t (*current_function)(void);
typedef void (*context_function)(char *set);
typedef void *(*retain_function)(void *object);
typedef __attribute__((swiftasynccall)) void (*complete_function)(
    __attribute__((swift_async_context)) void *context,
    __attribute__((swift_context)) void *error);

static create_function original_create;
static begin_function original_begin;
static enqueue_function enqueue;
static current_function current_task;
static context_function original_enter, original_exit;
static retain_function retain;
static struct trace_task_observer observer;
static _Atomic(bool) is_on;
// The first word of each task.
static uintptr_t task_metadata;
// The code of the concurrency runtime.
static uintptr_t runtime_start, runtime_end;

void trace_observe_tasks(bool on) { atomic_store(&is_on, on); }
bool trace_observes_tasks(void) { return atomic_load_explicit(&is_on, memory_order_relaxed); }
uintptr_t trace_current_task(void) { return current_task == NULL ? 0 : current_task(); }

// MARK: Ends

// The functions of the runtime that complete a task. There are three of them, one of which fits
// each task. Each has its own replacement, so the replacement needs to know nothing else.
enum { max_completions = 6 };
static _Atomic(uintptr_t) completions[max_completions];

static void end_current(void) {
  if (trace_observes_tasks()) observer.ended(current_task());
}

#define COMPLETION(number)                                                          \
  __attribute__((swiftasynccall)) void trace_completeTask_##number(                 \
      __attribute__((swift_async_context)) void *context,                           \
      __attribute__((swift_context)) void *error) {                                 \
    end_current();                                                                  \
    const complete_function next = (complete_function)atomic_load_explicit(         \
        &completions[number], memory_order_relaxed);                                \
    __attribute__((musttail)) return next(context, error);                          \
  }
COMPLETION(0)
COMPLETION(1)
COMPLETION(2)
COMPLETION(3)
COMPLETION(4)
COMPLETION(5)
static const complete_function replacements[max_completions] = {
    trace_completeTask_0, trace_completeTask_1, trace_completeTask_2,
    trace_completeTask_3, trace_completeTask_4, trace_completeTask_5,
};

static bool is_replaced(uintptr_t function) {
  for (int index = 0; index < max_completions; index++) {
    if (function == (uintptr_t)replacements[index]) return true;
  }
  return false;
}

// Returns the replacement of a function of the runtime, or NULL if there are too many.
static void *replacement(uintptr_t function) {
  for (int index = 0; index < max_completions; index++) {
    uintptr_t known = atomic_load_explicit(&completions[index], memory_order_relaxed);
    if (known == 0 && atomic_compare_exchange_strong(&completions[index], &known, function)) {
      known = function;
    }
    if (known == function) return (void *)replacements[index];
  }
  return NULL;
}

static bool replace_completion(struct async_context *outermost) {
  const uintptr_t function = (uintptr_t)outermost->resume_parent;
  if (is_replaced(function)) return true;
  if (!trace_is_of_task_runtime(function)) return false;
  void *const new = replacement(function);
  if (new == NULL) return false;
  outermost->resume_parent = new;
  return true;
}

bool trace_observe_end(uintptr_t task) {
  struct async_context *context = *(struct async_context **)(task + resume_context);
  // The depth is that of the calls of the task.
  for (int depth = 0; context != NULL && depth < 100000; depth++) {
    if (context->parent == NULL) return replace_completion(context);
    context = context->parent;
  }
  return false;
}

uintptr_t trace_task_entry(uintptr_t task) {
  struct async_context *const context = *(struct async_context **)(task + resume_context);
  // AsyncContextPrefix and FutureAsyncContextPrefix in swift/ABI/Task.h are before the context.
  return context != NULL && context->parent == NULL ? ((uintptr_t *)context)[-3] : 0;
}

bool trace_is_of_task_runtime(uintptr_t address) {
  return address >= runtime_start && address < runtime_end;
}

// MARK: Replacements

static bool is_task(uintptr_t address) { return *(uintptr_t *)address == task_metadata; }

__attribute__((swiftcall, noinline)) static struct task_and_context create(
    size_t flags, const struct task_option *options, const void *type, const int32_t *entry,
    void *closure) {
  if (!trace_observes_tasks()) return original_create(flags, options, type, entry, closure);
  // The task must not run before it is known. So it is enqueued here, as the runtime would.
  const struct task_and_context made =
      original_create(flags & ~(size_t)enqueues_job, options, type, entry, closure);
  if (is_task((uintptr_t)made.task) && made.context->parent == NULL && replace_completion(made.context)) {
    observer.created(
        (uintptr_t)made.task, (uintptr_t)entry + (uintptr_t)(intptr_t)*entry,
        (uintptr_t)__builtin_frame_address(0));
  }
  if (flags & enqueues_job) {
    void *executor = NULL, *witness = NULL;
    for (const struct task_option *option = options; option != NULL; option = option->parent) {
      if ((option->flags & 0xFF) != initial_serial_executor) continue;
      executor = option->content[0];
      witness = option->content[1];
    }
    retain(made.task);
    enqueue(made.task, executor, witness);
  }
  return made;
}

__attribute__((swiftcall, noinline)) static void begin(
    void *let, const struct task_option *options, const void *type, const int32_t *entry,
    void *closure, void *buffer) {
  if (!trace_observes_tasks()) return original_begin(let, options, type, entry, closure, buffer);
  // What the runtime does in swift_asyncLet_begin.
  const struct task_option option = {async_let_with_buffer, options, {let, buffer}};
  create(enqueues_job, &option, type, entry, closure);
}

static void enter(char *set) {
  original_enter(set);
  const uintptr_t task = (uintptr_t)set - exclusivity_set;
  if (trace_observes_tasks() && is_task(task)) observer.runs(task);
}

static void leave(char *set) {
  const uintptr_t task = (uintptr_t)set - exclusivity_set;
  if (trace_observes_tasks() && is_task(task)) observer.stops(task);
  original_exit(set);
}

// MARK: Tables

static struct hook {
  const char *name;
  void *function;
  void **original;
  int count;
} hooks[] = {
    {"swift_task_create", (void *)create, (void **)&original_create, 0},
    {"swift_asyncLet_begin", (void *)begin, (void **)&original_begin, 0},
    {"swift_task_enterThreadLocalContext", (void *)enter, (void **)&original_enter, 0},
    {"swift_task_exitThreadLocalContext", (void *)leave, (void **)&original_exit, 0},
};
enum { hook_count = sizeof hooks / sizeof *hooks };

struct module {
  uintptr_t base;
  uintptr_t relro_start, relro_end;
  const char *names;
  const ElfW(Sym) *symbols;
  bool is_runtime;
  bool has_failed;
};

// Returns whether a table was changed. The part of a module that is read-only after its start is
// writable for a moment.
static bool set_slot(struct module *module, void **slot, void *function) {
  const uintptr_t page = (uintptr_t)getpagesize();
  const uintptr_t start = (uintptr_t)slot & ~(page - 1);
  const bool is_protected =
      (uintptr_t)slot >= module->relro_start && (uintptr_t)slot < module->relro_end;
  if (is_protected && mprotect((void *)start, page, PROT_READ | PROT_WRITE) != 0) return false;
  __atomic_store_n(slot, function, __ATOMIC_RELEASE);
  if (is_protected) mprotect((void *)start, page, PROT_READ);
  return true;
}

static void change(struct module *module, const ElfW(Rela) *entries, size_t size) {
#if defined(__x86_64__)
  enum { jump_slot = R_X86_64_JUMP_SLOT, data = R_X86_64_GLOB_DAT };
#else
  enum { jump_slot = R_AARCH64_JUMP_SLOT, data = R_AARCH64_GLOB_DAT };
#endif
  for (size_t index = 0; index < size / sizeof *entries; index++) {
    const unsigned long kind = ELF64_R_TYPE(entries[index].r_info);
    if (kind != jump_slot && kind != data) continue;
    const ElfW(Sym) *symbol = &module->symbols[ELF64_R_SYM(entries[index].r_info)];
    const char *name = module->names + symbol->st_name;
    if (strncmp(name, "swift_", 6) != 0) continue;
    for (int hook = 0; hook < hook_count; hook++) {
      if (strcmp(name, hooks[hook].name) != 0) continue;
      // The functions between which a task runs are called by the runtime alone.
      if (hook >= 2 && !module->is_runtime) continue;
      if (set_slot(module, (void **)(module->base + entries[index].r_offset), hooks[hook].function)) {
        hooks[hook].count++;
      } else {
        module->has_failed = true;
      }
    }
  }
}

static bool contains(const struct dl_phdr_info *image, uintptr_t address) {
  for (int index = 0; index < image->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    if (address - image->dlpi_addr - segment->p_vaddr < segment->p_memsz) return true;
  }
  return false;
}

static int visit(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size;
  bool *const has_failed = context;
  struct module module = {.base = image->dlpi_addr};
  const ElfW(Dyn) *dynamic = NULL;
  for (int index = 0; index < image->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[index];
    const uintptr_t start = image->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_DYNAMIC) dynamic = (const ElfW(Dyn) *)start;
    if (segment->p_type == PT_GNU_RELRO) {
      module.relro_start = start;
      module.relro_end = start + segment->p_memsz;
    }
  }
  if (dynamic == NULL) return 0;
  uintptr_t calls = 0, others = 0, names = 0, symbols = 0;
  size_t calls_size = 0, others_size = 0;
  bool has_rela = false;
  for (const ElfW(Dyn) *entry = dynamic; entry->d_tag != DT_NULL; entry++) {
    const uintptr_t value = entry->d_un.d_val;
    // The loader has replaced the offsets of most modules by addresses.
    const uintptr_t address = value < image->dlpi_addr ? image->dlpi_addr + value : value;
    switch (entry->d_tag) {
    case DT_JMPREL: calls = address; break;
    case DT_PLTRELSZ: calls_size = value; break;
    case DT_PLTREL: has_rela = value == DT_RELA; break;
    case DT_RELA: others = address; break;
    case DT_RELASZ: others_size = value; break;
    case DT_STRTAB: names = address; break;
    case DT_SYMTAB: symbols = address; break;
    }
  }
  if (names == 0 || symbols == 0) return 0;
  module.names = (const char *)names;
  module.symbols = (const ElfW(Sym) *)symbols;
  module.is_runtime = contains(image, (uintptr_t)original_create);
  if (calls != 0 && has_rela) change(&module, (const ElfW(Rela) *)calls, calls_size);
  if (others != 0) change(&module, (const ElfW(Rela) *)others, others_size);
  *has_failed |= module.has_failed;
  return 0;
}

static int find_runtime(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size;
  if (!contains(image, (uintptr_t)original_create)) return 0;
  // The runtime is a part of the program if it is linked statically.
  if (contains(image, (uintptr_t)find_runtime)) return 1;
  for (int index = 0; index < image->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
    runtime_start = image->dlpi_addr + segment->p_vaddr;
    runtime_end = runtime_start + segment->p_memsz;
    *(bool *)context = true;
  }
  return 1;
}

static atomic_flag is_begun = ATOMIC_FLAG_INIT;
static _Atomic(bool) has_hooks;
bool trace_has_task_hooks(void) { return atomic_load(&has_hooks); }

enum trace_task_hooks trace_install_task_hooks(struct trace_task_observer new) {
#if defined(TRACE_IS_SANITIZED)
  (void)new, (void)visit, (void)find_runtime, (void)hooks, (void)change, (void)is_begun, (void)task_metadata;
  return trace_task_hooks_sanitizer;
#else
  static _Atomic(int) result = -1;
  if (atomic_flag_test_and_set(&is_begun)) {
    const int known = atomic_load(&result);
    return known < 0 ? trace_task_hooks_symbols : (enum trace_task_hooks)known;
  }
  atomic_store(&has_hooks, true);
  enum trace_task_hooks outcome = trace_task_hooks_installed;
  observer = new;
  task_metadata = trace_task_runtime().metadata;
  enqueue = (enqueue_function)dlsym(RTLD_DEFAULT, "swift_task_enqueueTaskOnExecutor");
  current_task = (current_function)dlsym(RTLD_DEFAULT, "swift_task_getCurrent");
  retain = (retain_function)dlsym(RTLD_DEFAULT, "swift_retain");
  bool has_all = task_metadata != 0 && enqueue != NULL && current_task != NULL && retain != NULL;
  for (int hook = 0; hook < hook_count; hook++) {
    *hooks[hook].original = dlsym(RTLD_DEFAULT, hooks[hook].name);
    has_all &= *hooks[hook].original != NULL;
  }
  bool has_failed = false, is_library = false;
  if (has_all) dl_iterate_phdr(find_runtime, &is_library);
  if (!has_all || !is_library) {
    outcome = trace_task_hooks_static;
  } else {
    dl_iterate_phdr(visit, &has_failed);
    if (has_failed) outcome = trace_task_hooks_protection;
    if (hooks[2].count == 0 || hooks[3].count == 0) outcome = trace_task_hooks_symbols;
  }
  atomic_store(&result, (int)outcome);
  return outcome;
#endif
}
#else
enum trace_task_hooks trace_install_task_hooks(struct trace_task_observer observer) {
  (void)observer;
  return trace_task_hooks_platform;
}
bool trace_has_task_hooks(void) { return false; }
void trace_observe_tasks(bool on) { (void)on; }
bool trace_observes_tasks(void) { return false; }
bool trace_observe_end(uintptr_t task) {
  (void)task;
  return false;
}
uintptr_t trace_current_task(void) { return 0; }
uintptr_t trace_task_entry(uintptr_t task) {
  (void)task;
  return 0;
}
bool trace_is_of_task_runtime(uintptr_t address) {
  (void)address;
  return false;
}
#endif
