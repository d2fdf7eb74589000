#pragma once

#include <stdbool.h>

/// Makes the kernel refuse process_vm_readv to this process from now on, or end the process at that call, as some sandboxes
/// do. Returns false where that is not possible.
bool sandbox_forbid_copying(bool kills);

/// Makes the kernel refuse ptrace to this process and to those that it starts. Returns false where that is not possible.
bool sandbox_forbid_tracing(void);
