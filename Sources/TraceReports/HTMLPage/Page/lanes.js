// The rows of the timeline. They are built once and laid out again for each visible time range.
const rowHeight = 22;
const stripHeight = 26;
const inset = 8;
const view = { from: data.shown.from, to: data.shown.to, width: 600 };
const x = time => inset
  + (time - view.from) / Math.max(1, view.to - view.from) * (view.width - 2 * inset);

// The signs at the end of a bar, around a point. The shape carries the same meaning as the color.
const ends = {
  completed: 'M-5 .5 L-1.5 4.5 L5.5 -4.5',
  failed: 'M-4.5 -4.5 L4.5 4.5 M4.5 -4.5 L-4.5 4.5',
  disposed: 'M-4.5 -4.5 H4.5 V4.5 H-4.5 Z',
  released: 'M4.5 0 A4.5 4.5 0 1 1 -4.5 0 A4.5 4.5 0 1 1 4.5 0 Z',
  active: 'M-4.5 -5 L4.5 0 L-4.5 5 Z',
  suspect: 'M0 -7.5 L7.5 0 L0 7.5 L-7.5 0 Z M-1.3 -4.5 L-.8 1 H.8 L1.3 -4.5 Z M-1 2.4 V4.2 H1 V2.4 Z',
};
const kind = sub => sub.isSuspect && sub.state === 'active' ? 'suspect' : sub.state;
const kindNames = {
  completed: 'completed', failed: 'failed', disposed: 'disposed',
  released: 'released without an end', active: 'still active', suspect: 'leak',
};

const lanes = data.tree.map((node, index) => ({
  index, name: node.lane, depth: node.depth, count: node.count,
  members: node.subs.map(index => subs[index]), isOpen: false, isShown: true, isNear: true,
}));
const laneOf = new WeakMap();

function buildLane(lane) {
  for (const sub of lane.members) sub.lane = lane;
  lane.track = drawn('svg', { class: 'rows', role: 'presentation' });
  lane.more = element('button', {
    type: 'button', class: 'more', hidden: true,
    onclick: () => { lane.isOpen = !lane.isOpen; fillLane(lane); layLane(lane); },
  });
  const name = element('span', { class: 'lane-name', title: lane.name }, lane.name);
  const count = element('span', { class: 'lane-count' }, number(lane.count));
  const rest = lane.count - lane.members.length;
  const undrawn = rest ? element('div', { class: 'quiet' }, number(rest) + ' not drawn') : null;
  const label = element('div', { class: 'label' },
    element('div', { class: 'label-line' }, name, count), lane.more, undrawn);
  label.style.setProperty('--depth', lane.depth);
  lane.node = element('div', { class: 'lane' }, label,
    element('div', { class: 'track' }, lane.track));
  laneOf.set(lane.node, lane);
  fillLane(lane);
  return lane.node;
}

function fillLane(lane) {
  const { rows, folded } = pack(lane.members, lane.isOpen);
  lane.folded = folded.length ? { count: folded.length, ...occupancy(folded) } : null;
  for (const sub of folded) sub.bar = null;
  lane.rows = rows;
  lane.height = rows.length * rowHeight + (lane.folded ? stripHeight : 0) + 6;
  lane.strip = lane.folded ? drawn('path', { class: 'strip' }) : null;
  const bars = rows.flatMap((row, number) => row.map(sub => buildBar(sub, number)));
  lane.track.replaceChildren(...bars, ...(lane.strip ? [lane.strip] : []));
  lane.more.hidden = !lane.folded && !lane.isOpen;
  // The maximum number alive at once is known only if all members of the lane are on the page.
  const isWhole = lane.members.length === lane.count;
  lane.more.textContent = !lane.folded ? 'fewer rows' : '+' + number(lane.folded.count) + ' more'
    + (isWhole ? ', up to ' + number(lane.folded.most) + ' at once' : '');
}

function buildBar(sub, row) {
  const middle = row * rowHeight + rowHeight / 2 + 3;
  const hit = drawn('rect', { class: 'hit', y: middle - rowHeight / 2, height: rowHeight });
  const life = drawn('rect', { class: 'life', y: middle - 4, height: 8, rx: 2 });
  const beats = drawn('path', { class: 'beats' });
  const end = drawn('path', { class: 'end', d: ends[kind(sub)] });
  const tip = drawn('title');
  tip.textContent = title(sub) + ' ' + sub.site.lane + ': ' + kindNames[kind(sub)] + ', '
    + (sub.task && sub.task.now ? sub.task.now : counted(sub.elements, 'element')) + (data.caption ? ' (' + number(sub.allElements) + ' in all)' : '') + ', ' + duration(sub.age);
  const doing = buildTask(sub);
  const isCounted = !Array.isArray(data.elements[sub.index]);
  const group = drawn('g', { class: 'bar ' + kind(sub) + (isCounted ? ' counted' : '') + (doing ? ' task' : ''), 'data-sub': sub.index },
    tip, hit, life, ...(doing ? [doing.group] : []), beats, end);
  sub.bar = { group, hit, life, doing, beats, end, middle };
  if (selected === sub) group.classList.add('selected');
  return group;
}

function layLane(lane) {
  set(lane.track, { viewBox: '0 0 ' + view.width + ' ' + lane.height });
  for (const row of lane.rows) for (const sub of row) layBar(sub);
  if (lane.strip) layStrip(lane);
  lane.isStale = false;
}

function layBar(sub) {
  const { group, hit, life, doing, beats, end, middle } = sub.bar;
  const left = x(sub.start);
  // A subscription without an end extends to the edge and keeps its sign.
  const right = sub.end === null ? Math.min(x(endOf(sub)), view.width - inset) : x(sub.end);
  if (endOf(sub) < view.from) return void group.setAttribute('display', 'none');
  if (right < 0 || left > view.width) return void group.setAttribute('display', 'none');
  group.removeAttribute('display');
  const [from, to] = [Math.max(left, -4), Math.min(Math.max(right, left), view.width + 4)];
  set(life, { x: from.toFixed(1), width: Math.max(1.5, to - from).toFixed(1) });
  set(hit, { x: (from - 6).toFixed(1), width: (to - from + 12).toFixed(1) });
  if (doing) layTask(sub, middle);
  beats.setAttribute('d', beatPath(sub, middle));
  const isInside = right <= view.width;
  end.setAttribute('display', isInside ? 'inline' : 'none');
  end.setAttribute('transform', 'translate(' + Math.max(right, left).toFixed(1) + ' ' + middle + ')');
}

// Draws a line for each element and skips lines that would overlap. Draws blocks if the elements
// were only counted.
function beatPath(sub, middle) {
  const marks = sub.marks || (sub.marks = decode(sub));
  const path = [];
  if (marks.times) {
    let last = -Infinity;
    for (const time of marks.times) {
      const column = x(time);
      if (column < -1 || column - last < 1.5) continue;
      if (column > view.width + 1) break;
      path.push('M' + column.toFixed(1) + ' ' + (middle - 6) + 'v12');
      last = column;
    }
    return path.join('');
  }
  const size = (marks.end - marks.start) / marks.counts.length;
  marks.counts.forEach((level, index) => {
    const [from, to] = [x(marks.start + index * size), x(marks.start + (index + 1) * size)];
    if (!level || to < 0 || from > view.width) return;
    const half = 1.5 + 5.5 * level / marks.most;
    const width = Math.max(1, to - from);
    path.push('M' + from.toFixed(1) + ' ' + (middle - half).toFixed(1) + 'h' + width.toFixed(1)
      + 'v' + (2 * half).toFixed(1) + 'h-' + width.toFixed(1) + 'z');
  });
  return path.join('');
}

function layStrip(lane) {
  const floor = lane.height - 4;
  const path = ['M0 ' + floor];
  for (let column = 0; column <= view.width; column += 3) {
    const time = view.from + (column - inset) / (view.width - 2 * inset) * (view.to - view.from);
    const share = lane.folded.alive(time) / lane.folded.most;
    path.push('L' + column + ' ' + (floor - share * (stripHeight - 6)).toFixed(1));
  }
  lane.strip.setAttribute('d', path.join('') + 'L' + view.width + ' ' + floor + 'Z');
}
