// What tasks do: their waits in the timeline, and who waits for whom.
const waitKinds = ['unknown', 'continuation', 'task', 'group', 'executor'];
const waitNames = {
  continuation: 'waits for a continuation', task: 'waits for a task', group: 'waits for a group',
  executor: 'waits for its turn',
};

for (const task of data.tasks) {
  const sub = subs[task.sub];
  sub.task = { ...task, awaits: (task.awaits || []).map(slot => subs[slot]), awaitedBy: [] };
}
for (const sub of subs) {
  for (const other of sub.task ? sub.task.awaits : []) {
    // A subscription that isn't a task has only those that wait for its elements.
    if (!other.task) other.loops = other.loops || { awaits: [], awaitedBy: [] };
    (other.task || other.loops).awaitedBy.push(sub);
  }
}

// Draws the parts of a bar: the time in which the task runs, and each kind of wait. Parts too short to
// see are joined with those before them.
function drawTask(sub, middle, add) {
  const last = {};
  const draw = (name, from, to, shape) => {
    const [left, right] = [Math.max(x(from), -4), Math.min(x(to), view.width + 4)];
    if (right < -4 || left > view.width + 4 || right < (last[name] ?? -Infinity) + 0.5) return;
    const width = Math.max(0.8, right - left);
    add('doing ' + name, shape(left.toFixed(1), width.toFixed(1)));
    last[name] = left + width;
  };
  const box = height => (left, width) =>
    'M' + left + ' ' + (middle + 4 - height) + 'h' + width + 'v' + height + 'h-' + width + 'z';
  const line = (left, width) => 'M' + left + ' ' + middle + 'h' + width;
  const twoLines = (left, width) =>
    'M' + left + ' ' + (middle - 2) + 'h' + width + 'M' + left + ' ' + (middle + 2) + 'h' + width;
  let time = sub.start;
  const spans = sub.task.spans;
  for (let index = 0; index < spans.length; index += 3) {
    const from = sub.start + spans[index];
    const to = from + spans[index + 1];
    if (from > time) draw('runs', time, from, box(8));
    if (spans[index + 2] >= 10) {
      draw('runs', from, to, box(Math.max(1, 8 * (spans[index + 2] - 10) / 100)));
    } else {
      const name = waitKinds[spans[index + 2]];
      draw(name, from, to, name === 'group' ? twoLines : line);
    }
    time = Math.max(time, to);
  }
  if (endOf(sub) > time) draw('runs', time, endOf(sub), box(8));
}

// Returns a tree of the tasks that a task waits for, or of those that wait for it.
function waitTree(name, sub, next) {
  const start = sub.task || sub.loops;
  if (!start || !next(start).length) return [];
  const seen = new Set([sub]);
  let room = 60;
  const list = (task, depth) => element('ul', { class: 'chain' }, ...next(task).slice(0, 20).map(other => {
    const isKnown = seen.has(other);
    seen.add(other);
    room -= 1;
    const hasMore = other.task && next(other.task).length && !isKnown && depth < 12 && room > 0;
    return element('li', {}, link(other), ' ', text(other.site.lane),
      element('div', { class: 'quiet' }, isKnown ? (other === sub ? 'closes the circle' : 'see above')
        : other.task && other.task.now ? other.task.now : ''),
      hasMore ? list(other.task, depth + 1) : null);
  }));
  return [element('h3', {}, name), list(start, 1)];
}

// Returns the signs of tasks for the legend, with their names.
function taskLegend() {
  const tasks = subs.filter(sub => sub.task && sub.task.spans);
  if (!tasks.length) return [];
  const present = new Set(tasks.flatMap(sub => sub.task.spans.filter((_, index) => index % 3 === 2)));
  const names = waitKinds.filter((name, index) => waitNames[name] && present.has(index));
  return ['runs', ...names].map(name => {
    const d = name === 'runs' ? 'M-15 -4h30v8h-30z' : name === 'group' ? 'M-15 -2h30M-15 2h30' : 'M-15 0h30';
    const sign = drawn('svg', { viewBox: '-15 -8 30 16', width: 30, height: 16, 'aria-hidden': 'true' },
      drawn('g', { class: 'bar active' }, drawn('path', { class: 'doing ' + name, d })));
    return [sign, waitNames[name] || 'a task runs'];
  });
}
