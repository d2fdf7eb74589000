#pragma once

#include <stddef.h>

/// Opens the end of a new pseudo-terminal that plays the terminal, and writes the path of the other end: what some C
/// libraries do not show to Swift. It is -1 where that fails, and errno says why.
int pseudo_terminal_open(char *path, size_t size);
