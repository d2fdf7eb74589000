// The visible time range: zooming and moving by wheel, touch, buttons and keys.
const whole = { from: data.shown.from, to: Math.max(data.shown.to, data.shown.from + 1) };
let isPending = false;

function show(from, to) {
  // A double cannot represent smaller steps at such late times.
  const least = Math.min(Math.max(100, whole.to * 2 ** -44), whole.to - whole.from);
  const length = Math.min(Math.max(to - from, least), whole.to - whole.from);
  view.from = Math.min(Math.max(from, whole.from), whole.to - length);
  view.to = view.from + length;
  for (const lane of lanes) lane.isStale = true;
  const isWhole = length >= whole.to - whole.from;
  $('reset').disabled = isWhole;
  $('zoom-out').disabled = isWhole;
  $('zoom-in').disabled = length <= least;
  if (isPending) return;
  isPending = true;
  requestAnimationFrame(() => { isPending = false; lay(); });
}

// Lanes outside the visible area are laid out when they come into view.
function lay(all) {
  layAxis();
  for (const lane of lanes) if (lane.isShown && lane.isStale && (all || lane.isNear)) layLane(lane);
}

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

function watchSize() {
  const measure = () => {
    const width = Math.round($('axis').parentElement.clientWidth);
    if (width > 0 && width !== view.width) { view.width = width; show(view.from, view.to); }
  };
  new ResizeObserver(measure).observe($('axis').parentElement);
  measure();
  const watcher = new IntersectionObserver(entries => {
    for (const entry of entries) {
      const lane = laneOf.get(entry.target);
      lane.isNear = entry.isIntersecting;
      if (lane.isNear && lane.isStale && lane.isShown) layLane(lane);
    }
  }, { rootMargin: '400px' });
  for (const lane of lanes) watcher.observe(lane.node);
  addEventListener('beforeprint', () => lay(true));
}

function watchPointer() {
  const plot = $('plot');
  const column = event => event.clientX - $('axis').getBoundingClientRect().left;
  plot.addEventListener('wheel', event => {
    const isOverAxis = event.target.closest('#axis-row');
    if (event.ctrlKey || event.metaKey || isOverAxis) {
      event.preventDefault();
      zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.008), column(event));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      move((event.shiftKey ? event.deltaY || event.deltaX : event.deltaX) / view.width);
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
      if (before > 8 && after > 8) zoom(before / after, (now + others[0]) / 2);
    } else {
      move((last - now) / Math.max(1, view.width - 2 * inset));
    }
  });
  const release = event => {
    fingers.delete(event.pointerId);
    if (!fingers.size) plot.classList.remove('moving');
  };
  addEventListener('pointerup', release);
  addEventListener('pointercancel', release);
  plot.addEventListener('click', event => {
    const bar = event.target.closest('[data-sub]');
    if (bar && !hasMoved) location.hash = address(subs[bar.dataset.sub]);
    hasMoved = false;
  });
}

function watchKeys() {
  $('zoom-in').addEventListener('click', () => zoom(0.5));
  $('zoom-out').addEventListener('click', () => zoom(2));
  $('reset').addEventListener('click', reset);
  $('plot').addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== $('plot')) return;
    const actions = {
      '+': () => zoom(0.6), '=': () => zoom(0.6), '-': () => zoom(1 / 0.6), '0': reset,
      Home: reset, ArrowLeft: () => move(-0.15), ArrowRight: () => move(0.15),
      ArrowDown: () => step(1), ArrowUp: () => step(-1),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
  addEventListener('keydown', event => {
    if (event.key === 'Escape' && selected) close();
  });
}

// Selects the next subscription, from top to bottom and from left to right in a row.
function step(by) {
  const order = lanes.filter(lane => lane.isShown).flatMap(lane => lane.rows.flat());
  if (!order.length) return;
  const index = selected ? order.indexOf(selected) : by > 0 ? -1 : order.length;
  const next = order[Math.min(order.length - 1, Math.max(0, index + by))];
  history.replaceState(null, '', address(next));
  follow();
}
