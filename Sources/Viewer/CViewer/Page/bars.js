// The drawing of a lane. All bars of the same kind are one shape, so that a lane has a few elements,
// regardless of how many subscriptions it has.
const rowHeight = 22;
const stripHeight = 38;
const inset = 8;
const view = { from: data.shown.from, to: data.shown.to, width: 600 };
const x = time => inset
  + (time - view.from) / Math.max(1, view.to - view.from) * (view.width - 2 * inset);
const timeAt = column => view.from
  + (column - inset) / Math.max(1, view.width - 2 * inset) * (view.to - view.from);
const middleOf = row => row * rowHeight + rowHeight / 2 + 3;

// The signs at the end of a bar, relative to a point. The shape has the same meaning as the color.
const ends = {
  completed: 'm-5 .5l3.5 4l7 -9',
  failed: 'm-4.5 -4.5l9 9m0 -9l-9 9',
  disposed: 'm-4.5 -4.5h9v9h-9z',
  released: 'm4.5 0a4.5 4.5 0 1 1 -9 0a4.5 4.5 0 1 1 9 0z',
  active: 'm-4.5 -5l9 5l-9 5z',
  suspect: 'm0 -7.5l7.5 7.5l-7.5 7.5l-7.5 -7.5zm-1.3 3l.5 5.5h1.6l.5 -5.5zm.3 6.9v1.8h2v-1.8z',
};
const kind = sub => sub.isSuspect && sub.state === 'active' ? 'suspect' : sub.state;
const kindNames = {
  completed: 'completed', failed: 'failed', disposed: 'disposed',
  released: 'released without an end', active: 'still active', suspect: 'leak',
};
// The last ones are above the others.
const kinds = ['completed', 'disposed', 'released', 'active', 'failed', 'suspect'];
const parts = ['life', 'life of-task', 'doing runs', ...waitKinds.map(name => 'doing ' + name), 'beats',
  'beats counted', 'end'];

// Draws the rows of a lane, from one row to another.
function drawLane(lane, firstRow, lastRow) {
  const shapes = {};
  const add = (kind, part, path) => {
    const key = kind + '/' + part;
    (shapes[key] || (shapes[key] = [])).push(path);
  };
  for (let row = firstRow; row < Math.min(lastRow, lane.rows.length); row += 1) {
    drawRow(lane.rows[row], middleOf(row), add);
  }
  const nodes = [];
  for (const kind of kinds) {
    const paths = parts.filter(part => shapes[kind + '/' + part])
      .map(part => drawn('path', { class: part, d: shapes[kind + '/' + part].join('') }));
    if (paths.length) nodes.push(drawn('g', { class: 'bar ' + kind }, ...paths));
  }
  if (lane.strip) nodes.push(drawn('path', { class: 'strip', d: stripPath(lane) }));
  set(lane.track, { viewBox: '0 0 ' + view.width + ' ' + lane.trackHeight, height: lane.trackHeight });
  lane.track.replaceChildren(...outlines(lane), ...nodes);
  lane.isStale = false;
}

// Returns a shape around the selected subscription, and one around each that it was made for.
function outlines(lane) {
  const around = (sub, name) => {
    const middle = middleOf(sub.row);
    const { from, to } = extent(sub);
    return drawn('g', { class: 'bar ' + kind(sub) + ' ' + name, 'data-sub': sub.index },
      drawn('rect', { class: 'hit', x: from - 6, y: middle - 11, width: to - from + 12, height: rowHeight }),
      drawn('rect', { class: 'life', x: from, y: middle - 4, width: to - from, height: 8, rx: 2 }));
  };
  const isVisible = sub => sub.lane === lane && sub.row !== null && x(endOf(sub)) >= 0 && x(sub.start) <= view.width;
  return [
    ...chosen.kin.filter(isVisible).slice(0, 50).map(sub => around(sub, 'kin')),
    ...(chosen.sub && isVisible(chosen.sub) ? [around(chosen.sub, 'selected')] : []),
    ...(chosen.hovered && chosen.hovered !== chosen.sub && isVisible(chosen.hovered) ? [around(chosen.hovered, 'hovered')] : []),
  ];
}

// Returns the visible columns of a bar. A subscription without an end extends to the edge and keeps
// its sign.
function extent(sub) {
  const left = x(sub.start);
  const right = sub.end === null ? Math.min(x(endOf(sub)), view.width - inset) : x(sub.end);
  const from = Math.max(left, -4);
  return { left, right: Math.max(left, right), from, to: Math.max(from + 1.5, Math.min(right, view.width + 4)) };
}

// Draws the bars of a row that are in the visible time range. Where there are several in a pixel, one
// stands for all.
function drawRow(row, middle, add) {
  const reach = {};
  const beats = { last: -Infinity };
  const signs = [];
  for (let index = Math.max(0, indexIn(row, view.from) - 1); index < row.length; index += 1) {
    const sub = row[index];
    if (sub.start > view.to) break;
    if (endOf(sub) < view.from) continue;
    const name = kind(sub);
    const { right, from, to } = extent(sub);
    const last = reach[name] ?? -Infinity;
    if (from >= last || to > last + 0.5) {
      const left = Math.max(from, last);
      const isTask = sub.task && sub.task.spans;
      add(name, isTask ? 'life of-task' : 'life', 'M' + left.toFixed(1) + ' ' + (middle - 4) + 'h'
        + Math.max(0.5, to - left).toFixed(1) + 'v8H' + left.toFixed(1) + 'z');
      reach[name] = Math.max(last, to);
      if (isTask) drawTask(sub, middle, (part, path) => add(name, part, path));
    }
    if (sub.elements) drawBeats(sub, middle, beats, (part, path) => add(name, part, path));
    if (right <= view.width) signs.push({ column: right, name, rank: rank(sub) });
  }
  for (const sign of separate(signs)) {
    add(sign.name, 'end', 'M' + sign.column.toFixed(1) + ' ' + middle + ends[sign.name]);
  }
}

// Returns the signs that don't overlap. Those of leaks and failures take precedence.
function separate(signs) {
  const width = 7;
  const taken = new Set();
  return signs.sort((a, b) => a.rank - b.rank).filter(({ column, rank }) => {
    const place = Math.floor(column / width);
    const around = rank > 2 ? [place - 1, place, place + 1] : [place];
    if (around.some(place => taken.has(place))) return false;
    taken.add(place);
    return true;
  });
}

// Draws a line for each element and skips lines that would overlap. Draws blocks if the elements
// were only counted.
function drawBeats(sub, middle, beats, add) {
  const marks = sub.marks || (sub.marks = decode(sub));
  if (marks.times) {
    for (const time of marks.times) {
      const column = x(time);
      if (column < -1 || column - beats.last < 1.5) continue;
      if (column > view.width + 1) break;
      add('beats', 'M' + column.toFixed(1) + ' ' + (middle - 6) + 'v12');
      beats.last = column;
    }
    return;
  }
  const size = (marks.end - marks.start) / marks.counts.length;
  marks.counts.forEach((level, index) => {
    const [from, to] = [x(marks.start + index * size), x(marks.start + (index + 1) * size)];
    if (!level || to < 0 || from > view.width) return;
    const half = 1.5 + 5.5 * level / marks.most;
    const width = Math.max(1, to - from);
    add('beats counted', 'M' + from.toFixed(1) + ' ' + (middle - half).toFixed(1) + 'h' + width.toFixed(1)
      + 'v' + (2 * half).toFixed(1) + 'h-' + width.toFixed(1) + 'z');
  });
}

// Returns the shape with the number of all live subscriptions of a lane over time.
function stripPath(lane) {
  const floor = lane.trackHeight - 4;
  const path = ['M0 ' + floor];
  for (let column = 0; column < view.width; column += 2) {
    const share = lane.strip.alive(timeAt(column), timeAt(column + 2)) / lane.strip.most;
    path.push('V' + (floor - share * (stripHeight - 8)).toFixed(1) + 'h2');
  }
  return path.join('') + 'V' + floor + 'Z';
}

// Returns the subscription at a point of a lane's drawing, or null.
function subAt(lane, column, height) {
  const row = lane.rows[Math.floor((height - 3) / rowHeight)];
  if (!row) return null;
  let [best, least] = [null, Infinity];
  for (let index = Math.max(0, indexIn(row, timeAt(column - 7)) - 1); index < row.length; index += 1) {
    const { left, right } = extent(row[index]);
    if (left > column + 7) break;
    const distance = Math.max(0, left - column, column - right);
    // Of several in a pixel, the most important one counts.
    const score = distance + rank(row[index]) * 0.01;
    if (distance <= 7 && score < least) [best, least] = [row[index], score];
  }
  return best;
}

const wordsOf = sub => title(sub) + ' ' + sub.site.lane + ': ' + kindNames[kind(sub)] + ', '
  + (sub.task && sub.task.now ? sub.task.now : counted(sub.elements, 'element'))
  + (data.caption ? ' (' + number(sub.allElements) + ' in all)' : '') + ', ' + duration(sub.age);
