// The visible time range: zooming and moving by wheel, touch, buttons and keys.
const whole = { from: data.shown.from, to: Math.max(data.shown.to, data.shown.from + 1) };
const paperTrack = 520;
let isPending = false;

function show(from, to) {
  // A double cannot represent smaller steps at such late times.
  const least = Math.min(Math.max(100, whole.to * 2 ** -44), whole.to - whole.from);
  const length = Math.min(Math.max(to - from, least), whole.to - whole.from);
  view.from = Math.min(Math.max(from, whole.from), whole.to - length);
  view.to = view.from + length;
  for (const lane of mounted) lane.isStale = true;
  const isWhole = length >= whole.to - whole.from;
  $('reset').disabled = isWhole;
  $('zoom-out').disabled = isWhole;
  $('zoom-in').disabled = length <= least;
  if (isPending) return;
  isPending = true;
  requestAnimationFrame(() => { isPending = false; lay(); });
}

function lay() {
  layAxis();
  mountLanes();
  layOverview();
}

const isWhole = () => view.to - view.from >= whole.to - whole.from;

function zoom(factor, column) {
  const share = column === undefined ? 0.5 : (column - inset) / Math.max(1, view.width - 2 * inset);
  const at = view.from + Math.min(1, Math.max(0, share)) * (view.to - view.from);
  show(at - (at - view.from) * factor, at + (view.to - at) * factor);
}

function move(share) {
  const step = (view.to - view.from) * share;
  show(view.from + step, view.to + step);
}

function reset() { show(whole.from, whole.to); }

// Calls a function that the user asked for, and notes the time range in the address.
const act = change => (...values) => { change(...values); noteView(); };

function watchSize() {
  const measure = () => {
    const width = Math.round($('axis').parentElement.clientWidth);
    if (isPrinting || !width || width === view.width) return;
    view.width = width;
    show(view.from, view.to);
  };
  new ResizeObserver(measure).observe($('axis').parentElement);
  measure();
  const layAgain = () => { if (isPrinting) return; placeLanes(); for (const lane of mounted) lane.isStale = true; lay(); };
  addEventListener('resize', layAgain);
  let isScrolling = false;
  const follow = () => {
    if (isScrolling) return;
    isScrolling = true;
    requestAnimationFrame(() => { isScrolling = false; if (!isPrinting) mountLanes(); });
  };
  addEventListener('scroll', follow, { passive: true });
  $('plot').addEventListener('scroll', follow, { passive: true });
  // Paper has a track of this width, whatever the width of the window is.
  addEventListener('beforeprint', () => {
    isPrinting = true;
    view.width = paperTrack;
    placeLanes();
    for (const lane of mounted) lane.isStale = true;
    lay();
    const rest = shownLanes.length - lanesOnPaper();
    if (rest > 0) $('plot').dataset.rest = 'and ' + counted(rest, 'more lane'); else delete $('plot').dataset.rest;
    $('lanes').style.height = Math.min(tops[lanesOnPaper()], paperHeight) + 'px';
  });
  addEventListener('afterprint', () => {
    isPrinting = false;
    measure();
    layAgain();
  });
}

function watchPointer() {
  const plot = $('plot');
  const column = event => event.clientX - $('axis').getBoundingClientRect().left;
  plot.addEventListener('wheel', event => {
    const isOverAxis = event.target.closest('#axis-row');
    if (event.ctrlKey || event.metaKey || isOverAxis) {
      event.preventDefault();
      act(zoom)(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.008), column(event));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      act(move)((event.shiftKey ? event.deltaY || event.deltaX : event.deltaX) / view.width);
    }
  }, { passive: false });

  const fingers = new Map();
  let hasMoved = false;
  plot.addEventListener('pointerdown', event => {
    if (event.button !== 0 || !event.target.closest('.track')) return;
    fingers.set(event.pointerId, column(event));
    hasMoved = false;
  });
  addEventListener('pointermove', event => {
    if (!fingers.has(event.pointerId)) return;
    const [last, now] = [fingers.get(event.pointerId), column(event)];
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    if (!hasMoved && Math.abs(now - last) < 4) return;
    if (!hasMoved && event.pointerType === 'mouse') plot.setPointerCapture(event.pointerId);
    hasMoved = true;
    plot.classList.add('moving');
    fingers.set(event.pointerId, now);
    if (others.length) {
      const [before, after] = [Math.abs(last - others[0]), Math.abs(now - others[0])];
      if (before > 8 && after > 8) act(zoom)(before / after, (now + others[0]) / 2);
    } else {
      act(move)((last - now) / Math.max(1, view.width - 2 * inset));
    }
  });
  const release = event => {
    fingers.delete(event.pointerId);
    if (!fingers.size) plot.classList.remove('moving');
  };
  addEventListener('pointerup', release);
  addEventListener('pointercancel', release);
  plot.addEventListener('click', event => {
    const sub = under(event);
    if (sub && !hasMoved) location.hash = address(sub);
    hasMoved = false;
  });
  plot.addEventListener('pointermove', event => {
    if (fingers.size) return;
    hover(under(event), event);
    showCursor(event.target.closest('.track') ? timeAt(column(event)) : null);
  });
  plot.addEventListener('pointerleave', () => { hover(null); showCursor(null); });
}

// Returns the subscription at the position of the pointer, or null.
function under(event) {
  const track = event.target.closest('.lane .track');
  if (!track) return null;
  const box = track.getBoundingClientRect();
  return subAt(track.parentElement.lane, event.clientX - box.left, event.clientY - box.top);
}

function hover(sub, event) {
  const track = event && event.target.closest('.lane .track');
  if (track) track.title = sub ? wordsOf(sub) : '';
  if (sub === chosen.hovered) return;
  const stale = [chosen.hovered, sub].filter(sub => sub && sub.lane.node);
  chosen.hovered = sub;
  $('plot').classList.toggle('over-bar', sub !== null);
  for (const { lane } of stale) redraw(lane);
}

function redraw(lane) {
  lane.isStale = true;
  mountLanes();
}

function watchKeys() {
  $('zoom-in').addEventListener('click', () => act(zoom)(0.5));
  $('zoom-out').addEventListener('click', () => act(zoom)(2));
  $('reset').addEventListener('click', act(reset));
  $('plot').addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== $('plot')) return;
    const actions = {
      '+': () => act(zoom)(0.6), '=': () => act(zoom)(0.6), '-': () => act(zoom)(1 / 0.6), '0': act(reset),
      Home: act(reset), ArrowLeft: () => act(move)(-0.15), ArrowRight: () => act(move)(0.15),
      ArrowDown: () => step(1), ArrowUp: () => step(-1),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
  addEventListener('keydown', event => {
    if (event.key === 'Escape' && !$('details').hidden && event.target !== $('search')) close();
  });
}

// Selects the next subscription, from top to bottom and from left to right in a row.
function step(by) {
  let [index, row, place] = chosen.sub && chosen.sub.row !== null && chosen.sub.lane.isShown
    ? [shownIndexOf(chosen.sub.lane), chosen.sub.row, chosen.sub.lane.rows[chosen.sub.row].indexOf(chosen.sub) + by]
    : by > 0 ? [0, 0, 0] : [shownLanes.length - 1, Infinity, Infinity];
  while (shownLanes[index]) {
    const { rows } = shownLanes[index];
    if (row === Infinity) row = rows.length - 1;
    if (rows[row]) {
      if (place === Infinity) place = rows[row].length - 1;
      if (rows[row][place]) break;
    }
    row += by;
    place = by > 0 ? 0 : Infinity;
    if (!rows[row]) { index += by; row = by > 0 ? 0 : Infinity; }
  }
  if (!shownLanes[index]) return;
  history.replaceState(null, '', address(shownLanes[index].rows[row][place]));
  follow();
}
