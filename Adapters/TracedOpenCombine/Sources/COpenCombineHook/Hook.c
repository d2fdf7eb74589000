#include "COpenCombineHook.h"

#include <stdlib.h>

void traced_introspect(void);

static __thread void *current;

void *traced_delivery(void) { return current; }
void traced_set_delivery(void *delivery) { current = delivery; }

// Before main, so that no subscription is missed.
__attribute__((constructor)) static void begin(void) {
  if (getenv("REACTIVE_TRACE_ALL")) traced_introspect();
}
