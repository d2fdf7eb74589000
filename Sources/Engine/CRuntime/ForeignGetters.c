#include "ForeignGetters.h"

#if defined(__x86_64__) || defined(__aarch64__)
#define SWIFT_CALL __attribute__((swiftcall))
#define SWIFT_RESULT __attribute__((swift_indirect_result))
#define SWIFT_SELF __attribute__((swift_context))

void trace_get_static(uintptr_t getter, void *result) {
  ((SWIFT_CALL void (*)(SWIFT_RESULT void *))getter)(result);
}

void trace_get_value(uintptr_t getter, const void *value, void *result) {
  ((SWIFT_CALL void (*)(SWIFT_RESULT void *, SWIFT_SELF const void *))getter)(result, value);
}

struct trace_words trace_get_words(uintptr_t getter, const void *value) {
  return ((SWIFT_CALL struct trace_words (*)(SWIFT_SELF const void *))getter)(value);
}
#endif
