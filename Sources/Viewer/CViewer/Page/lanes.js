// The lanes of the timeline. Only those near the visible part of the page are in the document.
const lineHeight = 30;
const noteHeight = 26;
const margin = 400;
// The height of the lanes on paper.
const paperHeight = 620;
const lanes = data.tree.map((node, index) => ({
  index, name: node.lane, depth: node.depth, count: node.count, levels: node.alive || null,
  members: node.subs.map(index => subs[index]), isOpen: false, isShown: true, isStale: true, node: null,
}));
// The lanes that the search shows, and where each begins; at the end, the height of all.
let shownLanes = lanes;
let tops = [0];
let mounted = [];
const chosen = { sub: null, lane: null, kin: [], hovered: null };

// The lanes with each name, because a lane may be below several others.
const lanesByName = new Map();
for (const lane of lanes) {
  const others = lanesByName.get(lane.name) || [];
  lanesByName.set(lane.name, others);
  lane.ordinal = others.push(lane);
  for (const sub of lane.members) sub.lane = lane;
  fillLane(lane);
}

function fillLane(lane) {
  const { rows, folded } = pack(lane.members, lane.isOpen);
  for (const sub of folded) sub.row = null;
  rows.forEach((row, number) => { for (const sub of row) sub.row = number; });
  lane.rows = rows;
  lane.folded = folded.length;
  lane.strip = lane.levels ? countedOccupancy(lane.levels) : folded.length ? occupancy(lane.members) : null;
  lane.trackHeight = rows.length * rowHeight + (lane.strip ? stripHeight : 0) + 8;
  lane.hasNote = lane.strip !== null || lane.isOpen;
  lane.isStale = true;
}

const isNarrow = matchMedia('screen and (max-width: 820px)');
let isPrinting = false;
function heightOf(lane) {
  const label = lineHeight + (lane.hasNote ? noteHeight : 0);
  return 1 + (isNarrow.matches && !isPrinting ? label + lane.trackHeight : Math.max(label, lane.trackHeight));
}

// Computes where each lane begins. Many lanes scroll in a box, so that the tables below them can be
// reached.
function placeLanes() {
  tops = [0];
  for (const lane of shownLanes) tops.push(tops[tops.length - 1] + heightOf(lane));
  const height = tops[tops.length - 1];
  $('lanes').style.height = height + 'px';
  $('plot').classList.toggle('boxed', height > innerHeight * 1.5);
}

// Returns the index of the last entry of `tops` that is not below a height.
function laneIndexAt(height) {
  let [low, high] = [0, shownLanes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tops[middle + 1] <= height) low = middle + 1; else high = middle;
  }
  return low;
}

// Puts the lanes near the visible part of the box into the document, and takes the others out of it.
// Few lanes are in the document together.
function mountLanes() {
  const box = $('lanes').getBoundingClientRect();
  const plot = $('plot').getBoundingClientRect();
  const isBoxed = $('plot').classList.contains('boxed') && !isPrinting;
  const [above, below] = isBoxed ? [plot.top, plot.bottom] : [box.top, box.bottom];
  const first = isBoxed ? laneIndexAt(above - margin - box.top) : 0;
  const last = isBoxed ? laneIndexAt(below + margin - box.top) + 1 : isPrinting ? lanesOnPaper() : shownLanes.length;
  const wanted = shownLanes.slice(first, Math.max(first, last));
  // A lane with the focus stays.
  const focused = mounted.find(lane => lane.isShown && lane.node.contains(document.activeElement));
  if (focused && !wanted.includes(focused)) wanted.push(focused);
  wanted.sort((a, b) => a.index - b.index);
  const kept = new Set(wanted);
  for (const lane of mounted) {
    if (kept.has(lane)) continue;
    lane.node.remove();
    lane.node = null;
    lane.isStale = true;
  }
  mounted = wanted;
  let next = $('lanes').firstChild;
  for (const lane of wanted) {
    if (!lane.node) buildLane(lane);
    if (lane.node === next) next = next.nextSibling;
    else $('lanes').insertBefore(lane.node, next);
    layLane(lane, box, above, below);
  }
}

// Returns how many lanes fit on paper, at least one.
function lanesOnPaper() {
  const count = tops.findIndex(top => top > paperHeight);
  return count < 0 ? shownLanes.length : Math.max(1, count - 1);
}

// Puts a lane in its place, and draws it if something has changed.
function layLane(lane, box, above, below) {
  const top = tops[shownIndexOf(lane)];
  lane.node.style.top = top + 'px';
  lane.node.style.height = heightOf(lane) + 'px';
  // Of a lane with very many rows, only those near the visible part are drawn.
  let [first, last] = [0, lane.rows.length];
  if (last > 100) {
    const row = height => Math.floor((height - box.top - top) / rowHeight / 20) * 20;
    first = Math.max(0, row(above - margin));
    last = Math.min(last, row(below + margin) + 40);
  }
  if (!lane.isStale && lane.drawnRows[0] === first && lane.drawnRows[1] === last) return;
  lane.drawnRows = [first, last];
  drawLane(lane, first, last);
}

// The index in `shownLanes`, which keeps the order.
function shownIndexOf(lane) {
  let [low, high] = [0, shownLanes.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shownLanes[middle].index < lane.index) low = middle + 1; else high = middle;
  }
  return low;
}

function buildLane(lane) {
  lane.track = drawn('svg', { class: 'rows', role: 'presentation' });
  const name = element('a', { class: 'lane-name', title: lane.name, href: laneAddress(lane) }, lane.name || '""');
  const count = element('span', { class: 'lane-count', title: counted(lane.count, 'subscription') }, number(lane.count));
  const label = element('div', { class: 'label' },
    element('div', { class: 'label-line' }, name, count), lane.hasNote ? laneNote(lane) : null);
  label.style.setProperty('--depth', lane.depth);
  lane.node = element('div', { class: 'lane' + (chosen.lane === lane ? ' chosen' : '') }, label,
    element('div', { class: 'track' }, lane.track));
  lane.node.lane = lane;
}

// Returns how many bars a lane has, and a button for more or fewer rows.
function laneNote(lane) {
  const undrawn = lane.count - lane.members.length;
  // The button draws the bars that have no row.
  const words = lane.isOpen ? 'fewer rows' : (lane.folded ? '+' + counted(lane.folded, 'bar') : counted(lane.members.length, 'bar'))
    + (lane.strip ? ', up to ' + number(lane.strip.most) + ' at once' : '');
  const hint = lane.strip ? 'All ' + counted(lane.count, 'subscription') + ' are in the shape below the bars: its height '
    + 'shows how many are alive. ' + number(lane.folded + undrawn) + ' of them have no bar'
    + (undrawn ? ', and ' + number(undrawn) + ' of these no row in the table.' : '.') : null;
  const button = !lane.folded && !lane.isOpen ? element('span', { class: 'note', title: hint }, words)
    : element('button', { type: 'button', class: 'more', title: hint, 'aria-expanded': String(lane.isOpen), onclick: () => {
      lane.isOpen = !lane.isOpen;
      refill(lane);
    } }, words);
  return element('div', { class: 'label-note' }, button);
}

// Builds a lane again, with more or fewer rows.
function refill(lane) {
  const hadFocus = lane.node && lane.node.contains(document.activeElement);
  fillLane(lane);
  if (lane.node) {
    lane.node.remove();
    lane.node = null;
    mounted = mounted.filter(other => other !== lane);
  }
  placeLanes();
  mountLanes();
  if (hadFocus && lane.node) lane.node.querySelector('.more')?.focus({ preventScroll: true });
}

// Scrolls to a row of a lane, unless it is visible.
function revealLane(lane, row) {
  const plot = $('plot');
  const isBoxed = plot.classList.contains('boxed');
  const offset = tops[shownIndexOf(lane)] + (row || 0) * rowHeight;
  const cover = isNarrow.matches && !$('details').hidden ? innerHeight * 0.55 : 0;
  if (isBoxed) {
    const box = plot.getBoundingClientRect();
    const inBox = $('lanes').offsetTop + offset - plot.scrollTop;
    if (inBox < 60 || inBox > plot.clientHeight - 60) plot.scrollTop += inBox - plot.clientHeight * 0.4;
    if (box.top < 0 || box.top > innerHeight * 0.5) scrollBy({ top: box.top - 10 });
  } else {
    const top = $('lanes').getBoundingClientRect().top + offset;
    if (top < 80 || top > innerHeight - cover - 120) scrollBy({ top: top - (innerHeight - cover) * 0.4 });
  }
  mountLanes();
}
