#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "PseudoTerminals.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int pseudo_terminal_open(char *path, size_t size) {
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0) return -1;
  // Other tests start programs, too.
  fcntl(master, F_SETFD, FD_CLOEXEC);
  if (grantpt(master) == 0 && unlockpt(master) == 0 && ptsname_r(master, path, size) == 0)
    return master;
  close(master);
  return -1;
}
