#ifndef PAGE_H
#define PAGE_H

#include <stddef.h>
#include <stdint.h>

/// Text in UTF-8.
typedef struct {
  const uint8_t *bytes;
  size_t count;
} page_text;

/// Returns the scripts of the folder `Page`, one after the other.
page_text page_script(void);

/// Returns the styles of the folder `Page`, one after the other.
page_text page_style(void);

#endif
