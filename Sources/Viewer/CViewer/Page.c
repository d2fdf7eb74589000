#include "Page.h"

// Arrays in Swift with the same bytes took 12 seconds to compile. These take 0.02 seconds.
#pragma clang diagnostic ignored "-Wc23-extensions"

// In the order in which the browser runs them.
static const uint8_t script[] = {
#embed "Page/model.js"
  ,
#embed "Page/format.js"
  ,
#embed "Page/packing.js"
  ,
#embed "Page/tasks.js"
  ,
#embed "Page/bars.js"
  ,
#embed "Page/lanes.js"
  ,
#embed "Page/axis.js"
  ,
#embed "Page/legend.js"
  ,
#embed "Page/view.js"
  ,
#embed "Page/overview.js"
  ,
#embed "Page/details.js"
  ,
#embed "Page/graph.js"
  ,
#embed "Page/findings.js"
  ,
#embed "Page/tables.js"
  ,
#embed "Page/index.js"
  ,
#embed "Page/links.js"
  ,
#embed "Page/query.js"
  ,
#embed "Page/search.js"
  ,
#embed "Page/page.js"
};

static const uint8_t style[] = {
#embed "Page/base.css"
  ,
#embed "Page/timeline.css"
  ,
#embed "Page/tasks.css"
  ,
#embed "Page/findings.css"
  ,
#embed "Page/panel.css"
  ,
#embed "Page/graph.css"
  ,
#embed "Page/print.css"
};

page_text page_script(void) { return (page_text){script, sizeof script}; }

page_text page_style(void) { return (page_text){style, sizeof style}; }
