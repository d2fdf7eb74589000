// The graph of a finding: its cycle as a ring with the references at its arrows, and what the cycle
// keeps alive by class.
const pen = document.createElement('canvas').getContext('2d');
const ringFonts = { what: '600 13px system-ui, sans-serif', edge: '12px system-ui, sans-serif' };
const ringSize = { width: 760, radius: 92, gap: 16, line: 17, space: 14 };
// The size of a ring in a card with half of the width.
const smallRing = { width: 540, radius: 76 };
let ringCount = 0;

// Returns lines of text that are not wider than some pixels. Cuts what does not fit on them.
function wrapped(words, font, width, maxLines) {
  pen.font = font;
  const fits = line => pen.measureText(line).width <= width;
  const lines = [''];
  // A line can end after a space or after a sign that joins names.
  for (const piece of (words || '?').split(/(?<=.[ .,:<(])/)) {
    const line = lines[lines.length - 1];
    if (fits((line + piece).trimEnd())) { lines[lines.length - 1] = line + piece; continue; }
    if (line) lines.push('');
    let rest = piece;
    while (!fits(rest.trimEnd())) {
      let count = rest.length - 1;
      while (count > 1 && !fits(rest.slice(0, count))) count -= Math.ceil(count / 20);
      lines[lines.length - 1] = rest.slice(0, count);
      lines.push('');
      rest = rest.slice(count);
    }
    lines[lines.length - 1] += rest;
  }
  const shown = lines.slice(0, maxLines);
  if (lines.length > maxLines) {
    let last = shown[maxLines - 1];
    while (last.length > 1 && !fits(last + '…')) last = last.slice(0, -1);
    shown[maxLines - 1] = last + '…';
  }
  return shown.map(line => line.trimEnd());
}

// Returns the geometry of a ring: a circle, or two half circles joined by straight lines. Lengths
// are clockwise from the top.
function outline(center, top, height, maxRadius) {
  const radius = Math.min(maxRadius, height / 2);
  const quarter = Math.PI * radius / 2;
  const half = 2 * quarter + height - 2 * radius;
  const bottom = top + height;
  const ofRightHalf = length => {
    if (length < quarter) {
      const angle = length / radius;
      return [radius * Math.sin(angle), top + radius - radius * Math.cos(angle)];
    }
    if (length < half - quarter) return [radius, top + radius + length - quarter];
    const angle = (length - half + quarter) / radius;
    return [radius * Math.cos(angle), bottom - radius + radius * Math.sin(angle)];
  };
  const point = length => {
    const place = ((length % (2 * half)) + 2 * half) % (2 * half);
    const [offset, y] = place <= half ? ofRightHalf(place) : ofRightHalf(2 * half - place);
    return [center + (place <= half ? offset : -offset), y];
  };
  const lengthAt = (y, isRight) => {
    const length = y < top + radius ? radius * Math.acos((top + radius - y) / radius)
      : y <= bottom - radius ? quarter + y - top - radius
        : half - quarter + radius * Math.asin(Math.min(1, (y - bottom + radius) / radius));
    return isRight ? length : 2 * half - length;
  };
  // Half of the width of the ring between two heights.
  const reach = (from, to) => {
    if (from <= bottom - radius && to >= top + radius) return radius;
    const distance = to < top + radius ? top + radius - to : from - bottom + radius;
    return Math.sqrt(Math.max(0, radius * radius - distance * distance));
  };
  return { half, point, lengthAt, reach };
}

// Draws a ring. Each part has a node and the words at the arrow from it to the next node.
function ring(parts, name, middle, size) {
  const { width, radius, gap, line, space } = size;
  const center = width / 2;
  const room = center - radius - gap - 8;
  // Nodes and arrows by turns, clockwise from the top.
  const slots = parts.flatMap((part, index) => [
    // The nodes at the top and at the bottom have the whole width.
    { part, isNode: true, full: part.node,
      lines: wrapped(part.node, ringFonts.what, 2 * index % parts.length ? room : width - 16, 2).map(words => ({ words, kind: part.isGap ? 'gap' : 'what' })) },
    { part, isNode: false, full: part.edge, lines: [
      ...(part.edge ? wrapped(part.edge, ringFonts.edge, room, 2) : []).map(words => ({ words, kind: 'edge' })),
      ...(part.isBreak ? [{ words: 'break it here', kind: 'cut' }] : [])] },
  ]);
  const height = slot => Math.max(1, slot.lines.length) * line;
  const count = parts.length;
  const right = slots.slice(1, count);
  const left = slots.slice(count + 1).reverse();
  const needed = side => side.reduce((sum, slot) => sum + height(slot) + space, space);
  const ringHeight = Math.max(count === 1 ? 120 : 140, needed(right), needed(left));
  const top = height(slots[0]) + gap + 4;
  const shape = outline(center, top, ringHeight, radius);
  slots[0].at = 0;
  slots[count].at = shape.half;
  for (const side of [right, left]) {
    const extra = (ringHeight - side.reduce((sum, slot) => sum + height(slot), 0)) / (side.length + 1);
    let y = top;
    for (const slot of side) {
      slot.y = y + extra + height(slot) / 2;
      slot.at = shape.lengthAt(slot.y, side === right);
      y += extra + height(slot);
    }
  }
  const drawing = [];
  slots.forEach((slot, index) => {
    if (slot.isNode) return;
    const from = slots[index - 1].at;
    const to = index + 1 < slots.length ? slots[index + 1].at : 2 * shape.half;
    drawing.push(arrow(shape, from + 11, to - 12, slot.part.isBreak));
    if (slot.part.isBreak) drawing.push(cut(...shape.point(slot.at)));
  });
  for (const slot of slots) {
    if (slot.isNode) drawing.push(node(...shape.point(slot.at), slot.part));
    drawing.push(label(slot, shape, center, top, ringHeight, height(slot)));
  }
  const chord = 2 * Math.min(radius, ringHeight / 2) - 24;
  const fitsInside = (words, index) => {
    pen.font = index ? ringFonts.edge : ringFonts.what;
    return pen.measureText(words).width <= chord;
  };
  if (middle.length && middle.every(fitsInside)) {
    const start = top + ringHeight / 2 - (middle.length - 1) * line / 2 + 4;
    drawing.push(...middle.map((words, index) => drawn('text', {
      class: index ? 'edge' : 'what', x: center, y: start + index * line, 'text-anchor': 'middle' }, words)));
  }
  const whole = top + ringHeight + gap + 4 + height(slots[count]);
  const id = 'ring-' + ++ringCount;
  const steps = parts.map((part, index) => (index + 1) + '. ' + part.node
    + (part.edge ? ', ' + part.edge : '') + (part.isBreak ? ' (break it here)' : '')).join('; ');
  return drawn('svg', { class: 'ring-view', viewBox: '0 0 ' + width + ' ' + whole.toFixed(0), role: 'img',
    'aria-labelledby': id + ' ' + id + '-steps' },
  drawn('title', { id }, name), drawn('desc', { id: id + '-steps' }, steps), ...drawing);
}

function arrow(shape, from, to, isBreak) {
  const point = length => shape.point(length).map(value => value.toFixed(1)).join(' ');
  const steps = Math.max(2, Math.ceil((to - 5 - from) / 4));
  const path = Array.from({ length: steps + 1 }, (_, step) => point(from + (to - 5 - from) * step / steps));
  const [x, y] = shape.point(to);
  const [nearX, nearY] = shape.point(to - 9);
  const angle = Math.atan2(y - nearY, x - nearX) * 180 / Math.PI;
  return drawn('g', { class: isBreak ? 'wire cut' : 'wire' }, drawn('path', { class: 'line', d: 'M' + path.join('L') }),
    drawn('path', { class: 'head', d: 'M0 0L-9 -5V5Z',
      transform: 'translate(' + x.toFixed(1) + ' ' + y.toFixed(1) + ') rotate(' + angle.toFixed(1) + ')' }));
}

// Draws the sign of the reference to break.
function cut(x, y) {
  return drawn('g', { class: 'cut-sign', transform: 'translate(' + x.toFixed(1) + ' ' + y.toFixed(1) + ')' },
    drawn('circle', { r: 10 }), drawn('path', { d: 'M-4 -4L4 4M4 -4L-4 4' }));
}

// Code is a square, and everything else is a circle.
function node(x, y, part) {
  const place = 'translate(' + x.toFixed(1) + ' ' + y.toFixed(1) + ')';
  if (part.isGap) {
    return drawn('g', { class: 'knot gap', transform: place }, ...[-6, 0, 6].map(at => drawn('circle', { cx: at, r: 2 })));
  }
  return drawn('g', { class: 'knot', transform: place },
    part.isCode ? drawn('rect', { x: -7, y: -7, width: 14, height: 14, rx: 3 }) : drawn('circle', { r: 7.5 }));
}

function label(slot, shape, center, top, ringHeight, height) {
  const { gap, line } = ringSize;
  let [x, y, anchor] = [center, 0, 'middle'];
  if (slot.at === 0) y = top - gap - height + line - 1;
  else if (slot.at === shape.half) y = top + ringHeight + gap + line - 4;
  else {
    const isRight = slot.at < shape.half;
    const offset = shape.reach(slot.y - height / 2, slot.y + height / 2) + gap;
    x += isRight ? offset : -offset;
    anchor = isRight ? 'start' : 'end';
    y = slot.y - height / 2 + line - 4;
  }
  return drawn('g', {}, ...(slot.full ? [drawn('title', {}, slot.full)] : []),
    ...slot.lines.map(({ words, kind }, index) => drawn('text', {
      class: 'text ' + kind + (slot.part.isBreak && kind === 'edge' ? ' broken' : ''), x: x.toFixed(1),
      y: (y + index * line).toFixed(1), 'text-anchor': anchor }, words)));
}

// Draws the ring of a path whose first steps are a cycle. Long cycles leave out the steps that a
// list leaves out, too.
function ringOf(why, count, objects, room) {
  const shown = new Set(why.shown);
  const parts = [];
  for (let index = 0; index < count; index += 1) {
    if (shown.size && !shown.has(index)) {
      const last = parts[parts.length - 1];
      if (last && last.isGap) last.count += 1;
      else parts.push({ isGap: true, count: 1, edge: '', node: '' });
      continue;
    }
    parts.push({ node: why.nodes[index] || '?', edge: why.edges[index], isBreak: index === why.break,
      isCode: ['closure', 'method', 'function', 'assign'].includes(why.steps[index].kind) });
  }
  for (const part of parts) if (part.isGap) part.node = counted(part.count, 'more step');
  const middle = objects ? [counted(objectCount(objects), 'object'), counted(objects.bytes, 'byte'),
    ...(objects.count > 1 ? ['on ' + counted(objects.count, 'cycle')] : [])] : [];
  const size = room && room < ringSize.width ? { ...ringSize, ...smallRing } : ringSize;
  return ring(parts, 'A cycle of ' + counted(count, 'step'), middle, size);
}

const objectCount = objects => [...objects.members, ...objects.held]
  .reduce((sum, item) => sum + (item.class ? item.count : 0), 0);

// Returns what a finding keeps alive: the classes with their counts and their bytes.
function hanging(objects, isCycle) {
  const all = objects.members.reduce((sum, item) => sum + item.count, 0);
  const groups = [
    [isCycle ? objects.count === 1 ? 'On the cycle' : 'On the cycles' : 'Without a holder', objects.members],
    [all === 1 ? 'Kept alive by it' : 'Kept alive by them', objects.held],
  ].filter(([, classes]) => classes.length);
  const most = Math.max(1, ...groups.flatMap(([, classes]) => classes.map(item => item.bytes)));
  return element('div', { class: 'hanging' }, ...groups.map(([name, classes]) => classTable(name, classes, most)));
}

function classTable(name, classes, most) {
  const maxRows = 8;
  const row = item => {
    const share = drawn('svg', { viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      drawn('rect', { width: Math.max(1, 100 * item.bytes / most), height: 8 }));
    return element('tr', {}, element('th', { scope: 'row' }, element('span', { class: 'text what', title: item.class }, item.class || 'memory')),
      element('td', {}, '×' + number(item.count)), element('td', {}, counted(item.bytes, 'byte')),
      element('td', { class: 'share' }, share));
  };
  const body = element('tbody', {}, ...classes.slice(0, maxRows).map(row));
  const rest = classes.length - maxRows;
  const more = rest <= 0 ? null : element('button', { type: 'button', class: 'more', onclick: () => {
    body.append(...classes.slice(maxRows).map(row));
    more.remove();
  } }, number(rest) + (rest === 1 ? ' more class' : ' more classes'));
  return element('div', {}, element('table', {}, element('caption', {}, name), body), more);
}
