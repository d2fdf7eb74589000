#ifndef TASK_HOOKS_H
#define TASK_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

/// The functions that are called when tasks begin, stop, run and end. They run on the thread that
/// does that. Nothing else can change or deallocate the task in the meantime, unless a comment says
/// otherwise.
struct trace_task_observer {
  /// A task was made that isn't enqueued yet. `code` is the function with which it begins, and
  /// `frame` the frame of the code that makes it.
  void (*created)(uintptr_t task, uintptr_t code, uintptr_t frame);
  /// A task is about to run, for the first time or again.
  void (*runs)(uintptr_t task);
  /// A task stopped running. Nothing can resume it until the function returns.
  void (*stops)(uintptr_t task);
  /// The code of a task has returned.
  void (*ended)(uintptr_t task);
};

/// The reasons why tasks can't be observed.
enum trace_task_hooks {
  trace_task_hooks_installed = 0,
  /// The platform isn't supported.
  trace_task_hooks_platform = 1,
  /// The program runs under a sanitizer.
  trace_task_hooks_sanitizer = 2,
  /// The concurrency runtime isn't a library of its own.
  trace_task_hooks_static = 3,
  /// The runtime doesn't have the known functions or doesn't call them through its table.
  trace_task_hooks_symbols = 4,
  /// The system doesn't allow the change of a table.
  trace_task_hooks_protection = 5,
};

/// Makes all loaded modules call the observer for tasks. Changes the tables through which they call
/// functions of other modules. Modules that are loaded later aren't changed, but their tasks are
/// observed as soon as they run. Does nothing if it was called before.
enum trace_task_hooks trace_install_task_hooks(struct trace_task_observer observer);

/// Returns whether the tables were changed, or whether that was tried.
bool trace_has_task_hooks(void);

/// Turns calls of the observer on and off. They are off at first.
void trace_observe_tasks(bool on);

/// Returns whether the observer is called.
bool trace_observes_tasks(void);

/// Makes a task call the observer at its end, even if nobody saw it begin. Replaces the function
/// that completes the task with one that calls the observer first. Returns false if the task isn't
/// in a known state.
///
/// The task must not run at the moment, and must belong to the calling thread.
bool trace_observe_end(uintptr_t task);

/// Returns the address of the function with which a task begins, or 0 if the task has run before.
/// The task must not run at the moment, and must belong to the calling thread.
uintptr_t trace_task_entry(uintptr_t task);

/// Returns whether an address is in the code of the concurrency runtime.
bool trace_is_of_task_runtime(uintptr_t address);

/// Returns the address of the task that runs on the calling thread, or 0.
uintptr_t trace_current_task(void);

#endif
