#pragma once

#include <stdbool.h>

/// Makes the kernel refuse process_vm_readv to this process from now on, as some sandboxes do. Returns false where that
/// is not possible.
bool sandbox_forbid_copying(void);
