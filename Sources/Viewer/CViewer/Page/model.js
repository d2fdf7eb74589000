// The data as objects, and functions that create page elements. Text is always set as text.
const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const stateNames = ['active', 'completed', 'failed', 'disposed', 'released'];

const subs = data.subs.map((row, index) => ({
  index, id: row[0], log: row[1], site: data.sites[row[2]], start: row[3],
  end: row[4] < 0 ? null : row[4], state: stateNames[row[5]], elements: row[6],
  parent: row[7], cause: row[8], scope: row[9], livesUntilExit: row[10] === 1, allElements: row[11],
  observed: row[12] ? data.places[row[12] - 1] : null,
  events: data.events[index], findings: [], causes: [], made: [], row: null, lane: null, task: null,
}));
const key = (log, id) => log + '/' + id;
const subsByKey = new Map(subs.map(sub => [key(sub.log, sub.id), sub]));
const find = (log, id) => subsByKey.get(key(log, id)) || null;
for (const sub of subs) {
  const parent = sub.parent ? find(sub.log, sub.parent) : null;
  if (parent) parent.made.push(sub);
  const log = data.logs[sub.log];
  sub.age = (sub.end === null ? log.start + log.duration : sub.end) - sub.start;
}
for (const finding of data.findings) {
  for (const member of finding.subscriptions) {
    const sub = find(member.log, member.id);
    if (sub) sub.findings.push(finding);
  }
  // Those that leak only because another one does.
  for (const member of finding.consequences || []) {
    const sub = find(finding.subscriptions[0].log, member.subscription);
    if (sub) sub.causes.push(finding);
  }
}
const isSuspect = sub => [...sub.findings, ...sub.causes].some(f => f.proven && f.level === 'error');
for (const sub of subs) sub.isSuspect = isSuspect(sub);

// The distance of each beginning to the next one, or to the one before.
subs.slice().sort((a, b) => a.start - b.start).forEach((sub, index, sorted) => {
  const distances = [sorted[index - 1], sorted[index + 1]].filter(other => other && other.start !== sub.start)
    .map(other => Math.abs(other.start - sub.start));
  sub.gap = distances.length ? Math.min(...distances) : 0;
});

// Returns the times of a subscription's elements, or the number of elements in each of several time
// ranges.
function decode(sub) {
  const marks = data.elements[sub.index];
  if (!Array.isArray(marks)) {
    // Each time range has a character. Its offset from `0` says how often the count can be halved.
    const counts = [...marks.counts].map(letter => letter.charCodeAt(0) - 48);
    return { ...marks, counts, most: Math.max(1, ...counts) };
  }
  let time = 0;
  return { times: marks.map(step => (time += step)) };
}

// Returns the subscriptions that this one was made for, nearest first. A damaged log may contain a
// cycle.
function ancestors(sub) {
  const chain = [];
  const seen = new Set([sub]);
  let current = sub;
  while (current && current.parent) {
    const next = find(current.log, current.parent);
    chain.push(next || { id: current.parent, log: current.log, isMissing: true });
    if (!next || seen.has(next)) break;
    seen.add(next);
    current = next;
  }
  return chain;
}

function element(name, options, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(options || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'class') node.className = value;
    else if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

const svgNamespace = 'http://www.w3.org/2000/svg';
function drawn(name, attributes, ...children) {
  const node = document.createElementNS(svgNamespace, name);
  set(node, attributes || {});
  node.append(...children);
  return node;
}
function set(node, attributes) {
  for (const key in attributes) node.setAttribute(key, attributes[key]);
}

const address = sub => '#sub=' + sub.id + (sub.log ? '&log=' + sub.log : '');
const laneAddress = lane => '#lane=' + encodeURIComponent(lane.name) + (lane.ordinal > 1 ? '&at=' + lane.ordinal : '');
const title = sub => '#' + sub.id + (data.logs.length > 1 ? ' of ' + logName(sub.log) : '');
function logName(number) {
  const header = data.logs[number].header;
  return header && header.process
    ? header.process + (header.pid ? ' (' + header.pid + ')' : '') : data.logs[number].names[0];
}
