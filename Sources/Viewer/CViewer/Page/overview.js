// The strip above the lanes: the live subscriptions and the events of the whole log. What the lanes
// show is a window in it. Dragging selects a time range, whose totals are below it.
const strip = { width: 0, live: 34, events: 16, gap: 4, columns: data.overview.alive.length };
strip.height = strip.live + strip.gap + strip.events;
const counts = data.overview;
const eventsIn = column => counts.elements[column] + counts.began[column] + counts.ended[column];
// All records of a log can have the same time.
const wholeLength = () => whole.to - whole.from || 1;
const stripX = time => inset + (time - whole.from) / wholeLength() * (strip.width - 2 * inset);
// The page has all subscriptions and the times of all elements, so that numbers are exact.
const isExact = subs.length === data.shown.subscriptions && !data.counted;
const sortedStarts = subs.map(sub => sub.start).sort((a, b) => a - b);
const sortedEnds = subs.filter(sub => sub.end !== null).map(sub => sub.end).sort((a, b) => a - b);

// Returns the number of times up to and including a time.
function countThrough(times, time) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1; else high = middle;
  }
  return low;
}

const columnOf = time => Math.min(strip.columns - 1, Math.max(0,
  Math.floor((time - whole.from) / wholeLength() * strip.columns)));
const aliveAt = time => Math.max(0, countThrough(sortedStarts, time) - countThrough(sortedEnds, time));

// Draws the shapes, whenever the width changes.
function drawStrip() {
  strip.width = isPrinting ? paperTrack : Math.round($('strip').parentElement.clientWidth) || paperTrack;
  set($('strip'), { viewBox: '0 0 ' + strip.width + ' ' + strip.height, height: strip.height });
  const step = (strip.width - 2 * inset) / strip.columns;
  const most = Math.max(1, ...counts.alive);
  const busiest = Math.max(1, ...counts.alive.map((_, column) => eventsIn(column)));
  const live = counts.alive.map(count => 'V' + (strip.live - count / most * (strip.live - 3)).toFixed(1) + 'h' + step.toFixed(3));
  const bars = counts.alive.map((_, column) => {
    const count = eventsIn(column);
    if (!count) return '';
    const height = Math.max(1, count / busiest * strip.events);
    return 'M' + (inset + column * step).toFixed(1) + ' ' + strip.height + 'v-' + height.toFixed(1) + 'h' + step.toFixed(2) + 'v' + height.toFixed(1) + 'z';
  });
  strip.window = drawn('g', { class: 'window' });
  $('strip').replaceChildren($('strip-name'),
    drawn('path', { class: 'live', d: 'M' + inset + ' ' + strip.live + live.join('') + 'V' + strip.live + 'Z' }),
    drawn('path', { class: 'happened', d: bars.join('') }), strip.window);
  $('overview-key').replaceChildren(element('span', { class: 'key-live' }, 'up to ' + number(most) + ' active'), ' ',
    element('span', { class: 'key-events' }, 'events'));
}

function layOverview() {
  const width = isPrinting ? paperTrack : Math.round($('strip').parentElement.clientWidth);
  if (width && width !== strip.width) drawStrip();
  const [left, right] = [stripX(view.from), stripX(view.to)];
  const shade = (x, width) => drawn('rect', { class: 'shade', x, y: 0, width: Math.max(0, width), height: strip.height });
  strip.window.replaceChildren(...(isWhole() ? [] : [shade(0, left), shade(right, strip.width - right),
    drawn('rect', { class: 'frame', x: left, y: .5, width: Math.max(2, right - left), height: strip.height - 1, rx: 2 })]));
  noteTotals();
  showCursor(null);
}

let counting = 0;
// Counts soon, because the time range may change with each frame.
function noteTotals() {
  clearTimeout(counting);
  if (isPrinting) return showTotals();
  counting = setTimeout(showTotals, 80);
}

function showTotals() {
  const { from, to, elements, began, ended, failed, most } = isExact ? exactTotals() : columnTotals();
  const about = [counted(elements, 'element'), number(began) + ' began', number(ended) + ' ended'
    + (failed ? ', ' + number(failed) + ' of them failed' : '')].join(', ');
  $('totals').textContent = moments([from, to]).join(' to ') + (from ? ' (' + duration(to - from) + ')' : '') + ': '
    + counted(elements + began + ended, 'event') + ' (' + about + '), up to ' + number(most) + ' active at once';
}

function exactTotals() {
  const { from, to } = view;
  const isIn = time => time >= from && time <= to;
  const totals = { from, to, elements: 0, began: 0, ended: 0, failed: 0, most: aliveAt(from) };
  for (const sub of subs) {
    if (isIn(sub.start)) { totals.began += 1; totals.most = Math.max(totals.most, aliveAt(sub.start)); }
    if (sub.end !== null && isIn(sub.end)) { totals.ended += 1; totals.failed += sub.state === 'failed' ? 1 : 0; }
    if (!sub.elements || sub.start > to || endOf(sub) < from) continue;
    const { times } = sub.marks || (sub.marks = decode(sub));
    for (const time of times) totals.elements += isIn(time) ? 1 : 0;
  }
  return totals;
}

// Returns the totals of the columns that the time range touches.
function columnTotals() {
  const [first, last] = [columnOf(view.from), columnOf(view.to - 1e-9 * wholeLength())];
  const timeOf = column => whole.from + column / strip.columns * wholeLength();
  const totals = { from: timeOf(first), to: timeOf(last + 1), elements: 0, began: 0, ended: 0, failed: 0, most: 0 };
  for (let column = first; column <= last; column += 1) {
    for (const name of ['elements', 'began', 'ended', 'failed']) totals[name] += counts[name][column];
    totals.most = Math.max(totals.most, counts.alive[column]);
  }
  return totals;
}

// Shows how many subscriptions are active at the pointer or, without one, at the end of what is shown.
function showCursor(time) {
  const at = time === null ? view.to : Math.min(view.to, Math.max(view.from, time));
  const precision = (view.to - view.from) / Math.max(1, view.width);
  $('at-cursor').textContent = (isExact ? number(aliveAt(at)) : 'up to ' + number(counts.alive[columnOf(at)]))
    + ' active at ' + moment(at, precision);
  $('cursor').hidden = time === null || isPrinting;
  if (time === null) return;
  const shift = $('axis').getBoundingClientRect().left - $('rows').getBoundingClientRect().left;
  $('cursor').style.left = shift + x(at) + 'px';
}

function watchOverview() {
  const picture = $('strip');
  const edge = 6;
  let drag = null;
  const place = event => Math.min(strip.width - inset, Math.max(inset, event.clientX - picture.getBoundingClientRect().left));
  const timeOf = column => whole.from + (column - inset) / Math.max(1, strip.width - 2 * inset) * wholeLength();
  // What a drag from a point does: it moves an edge of the window or the window, or selects.
  const actionAt = column => {
    const [left, right] = [stripX(view.from), stripX(view.to)];
    if (isWhole()) return 'select';
    if (Math.abs(column - left) <= edge) return 'left';
    if (Math.abs(column - right) <= edge) return 'right';
    return column > left && column < right ? 'move' : 'select';
  };
  picture.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    const column = place(event);
    drag = { action: actionAt(column), start: column, from: view.from, to: view.to, hasMoved: false };
    picture.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  picture.addEventListener('pointermove', event => {
    const column = place(event);
    if (!drag) {
      picture.dataset.action = actionAt(column);
      return showCursor(timeOf(column));
    }
    if (!drag.hasMoved && Math.abs(column - drag.start) < 3) return;
    drag.hasMoved = true;
    const time = timeOf(column);
    const shift = time - timeOf(drag.start);
    const [from, to] = { left: [time, drag.to], right: [drag.from, time],
      move: [drag.from + shift, drag.to + shift], select: [timeOf(drag.start), time] }[drag.action];
    act(show)(Math.min(from, to), Math.max(from, to));
  });
  picture.addEventListener('pointerup', () => {
    // A click outside of the window moves it there.
    if (drag && !drag.hasMoved && drag.action === 'select' && !isWhole()) {
      const half = (view.to - view.from) / 2;
      act(show)(timeOf(drag.start) - half, timeOf(drag.start) + half);
    }
    drag = null;
  });
  picture.addEventListener('pointercancel', () => { drag = null; });
  picture.addEventListener('pointerleave', () => { if (!drag) showCursor(null); });
  picture.addEventListener('dblclick', act(reset));
  $('busiest').addEventListener('click', act(() => {
    const column = counts.alive.reduce((best, _, column) => eventsIn(column) > eventsIn(best) ? column : best, 0);
    const length = wholeLength() / strip.columns;
    show(whole.from + (column - 5) * length, whole.from + (column + 6) * length);
  }));
  $('longest').addEventListener('click', () => {
    location.hash = address(subs.reduce((best, sub) => sub.age > best.age ? sub : best));
  });
}
