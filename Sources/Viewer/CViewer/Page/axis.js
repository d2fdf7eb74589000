// The time axis above the lanes, the grid lines through them, and the marks of the program.
function layAxis() {
  const axis = $('axis');
  const height = data.marks.length ? 44 : 26;
  set(axis, { viewBox: '0 0 ' + view.width + ' ' + height, height });
  $('rows').style.setProperty('--axis', height + 'px');
  const step = roundStep((view.to - view.from) * 96 / Math.max(96, view.width - 2 * inset));
  const nodes = [];
  const lines = [];
  let edge = -Infinity;
  const first = Math.ceil(view.from / step) * step;
  // The loop counts the steps, because adding a step to a large time may not change it.
  for (let index = 0; index < 1000 && first + index * step <= view.to; index += 1) {
    const time = first + index * step;
    const column = x(time);
    lines.push(column);
    const name = tickName(time, step, view.to);
    const width = name.length * 6.4;
    const start = Math.max(0, Math.min(column - width / 2, view.width - width - 3));
    nodes.push(drawn('line', { class: 'tick', x1: column, x2: column, y1: height - 6, y2: height }));
    if (start > edge + 8) {
      const text = drawn('text', { x: start, y: 14 });
      text.textContent = name;
      nodes.push(text);
      edge = start + width;
    }
  }
  const marks = layMarks(nodes, height);
  axis.replaceChildren(...nodes);
  layGrid(lines, marks);
}

function layMarks(nodes, height) {
  const shown = data.marks.filter(mark => mark.time >= view.from && mark.time <= view.to)
    .sort((a, b) => a.time - b.time);
  let edge = -Infinity;
  for (const [index, mark] of shown.entries()) {
    const column = x(mark.time);
    const next = index + 1 < shown.length ? x(shown[index + 1].time) : view.width;
    const flag = drawn('path', { class: 'mark', d: 'M' + column + ' ' + height + 'v-20h6l-3 4l3 4h-6' });
    const tip = drawn('title');
    tip.textContent = mark.name + ' at ' + duration(mark.time);
    flag.append(tip);
    nodes.push(flag);
    if (column + 10 < edge) continue;
    const room = Math.min(160, next - column - 12);
    const maxLength = Math.floor(room / 6.4);
    if (maxLength < 3) continue;
    const text = drawn('text', { class: 'mark-name', x: column + 9, y: height - 12 });
    text.textContent = mark.name.length > maxLength ? mark.name.slice(0, maxLength - 1) + '…' : mark.name;
    nodes.push(text);
    edge = column + 9 + text.textContent.length * 6.4 + 6;
  }
  return shown.map(mark => x(mark.time));
}

function layGrid(lines, marks) {
  const grid = $('grid');
  const shift = $('axis').getBoundingClientRect().left - $('rows').getBoundingClientRect().left;
  grid.style.setProperty('--left', shift + 'px');
  set(grid, { viewBox: '0 0 ' + view.width + ' 100', preserveAspectRatio: 'none' });
  grid.replaceChildren(
    ...lines.map(column => drawn('line', { x1: column, x2: column, y1: 0, y2: 100 })),
    ...marks.map(column => drawn('line', { class: 'mark', x1: column, x2: column, y1: 0, y2: 100 })));
}
