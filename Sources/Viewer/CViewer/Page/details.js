// The details of one subscription.
function close() {
  select(null);
  noteView();
  $('plot').focus({ preventScroll: true });
}

function select(sub) {
  const stale = new Set([chosen.sub, sub, ...chosen.kin].filter(sub => sub && sub.lane).map(sub => sub.lane));
  chosen.sub = sub;
  chosen.kin = sub ? ancestors(sub).filter(kin => kin.lane) : [];
  for (const kin of chosen.kin) stale.add(kin.lane);
  for (const lane of stale) lane.isStale = true;
  document.body.classList.toggle('has-details', sub !== null);
  $('details').hidden = sub === null;
  if (!sub) return void mountLanes();
  if (!sub.lane.isShown) clearSearch();
  if (sub.row === null) { sub.lane.isOpen = true; refill(sub.lane); }
  if (sub.start > view.to || endOf(sub) < view.from) reset();
  $('details').replaceChildren(...describe(sub));
  $('details').scrollTop = 0;
  requestAnimationFrame(() => { if (chosen.sub === sub) revealLane(sub.lane, sub.row); });
}

// Shows why the page has nothing about a subscription.
function showMissing(id) {
  select(null);
  $('details').hidden = false;
  document.body.classList.add('has-details');
  const words = subs.length < data.shown.subscriptions ? 'This page has details of ' + number(subs.length) + ' of '
    + counted(data.shown.subscriptions, 'subscription') + '. Write a report with --lane, --from or --until to see others.'
    : 'This page has no subscription with this number.';
  $('details').replaceChildren(element('div', { class: 'details-head' }, element('h2', {}, '#' + id), closeButton()),
    element('p', {}, words));
}

const closeButton = () => element('button', { type: 'button', class: 'close', onclick: close, 'aria-label': 'Close details' }, '×');

const link = sub => sub.isMissing
  ? element('span', { class: 'quiet' }, '#' + sub.id + ' (not shown)')
  : element('a', { href: address(sub), 'data-link': sub.index }, title(sub));
const text = (words, name) => element('span', { class: name || 'text' }, words);

function describe(sub) {
  const head = element('div', { class: 'details-head' },
    element('h2', {}, title(sub), ' ', text(sub.site.lane)), closeButton());
  const facts = [['State', element('span', { class: 'badge ' + kind(sub) }, kindNames[kind(sub)])]];
  const add = (name, ...value) => { if (value[0]) facts.push([name, ...value]); };
  const seen = sub.observed;
  const isTask = sub.task || sub.site.op === 'task';
  add(isTask ? 'Made at' : 'Observed', seen && text(seen.source || seen.function, 'code'),
    seen && seen.source && seen.function ? element('div', { class: 'code quiet' }, seen.function) : null);
  add(seen ? 'Lane at' : 'Source', sub.site.source && text(sub.site.source, 'code'));
  add('Function', sub.site.function && text(sub.site.function, 'code'));
  add('Now', sub.task && sub.task.now && text(sub.task.now));
  add('Waited', sub.task && sub.task.waited);
  if (!isTask || sub.elements) add('Elements', number(sub.elements) + (sub.site.type ? ' of ' : ''),
    sub.site.type ? text(sub.site.type, 'code') : null,
    data.caption ? ' from ' + moments([data.shown.from, data.shown.to]).join(' to ')
      + ', ' + number(sub.allElements) + ' in all' : null);
  const [began, ended] = moments([sub.start, sub.end ?? sub.start]);
  add('Began', began);
  add('Ended', sub.end === null ? (sub.livesUntilExit ? 'never; declared to live until exit' : 'never') : ended);
  add(sub.end === null ? 'Age' : 'Life', duration(sub.age));
  const cause = sub.cause ? find(sub.log, sub.cause) || { id: sub.cause, isMissing: true } : null;
  add('Made during', cause && link(cause),
    cause && !cause.isMissing ? element('span', {}, ' ', text(cause.site.lane)) : null);
  const scope = data.scopes.find(one => one.number === sub.scope && one.log === sub.log);
  add('Scope', sub.scope ? text(scope && scope.name ? scope.name : '#' + sub.scope) : null);
  if (data.logs.length > 1) add('Process', text(logName(sub.log)));
  const list = element('dl', {}, ...facts.flatMap(([name, ...value]) =>
    [element('dt', {}, name), element('dd', {}, ...value)]));
  return [head, ...sub.findings.map(finding => notice(finding)), ...sub.causes.map(leaksWith),
    ...explanation(sub), list,
    ...waitTree('Waits for', sub, task => task.awaits),
    ...waitTree('Awaited by', sub, task => task.awaitedBy),
    ...chain('Made for', ancestors(sub), 20), ...chain('Made for it', sub.made, 20), ...story(sub)];
}

function notice(finding) {
  return element('p', { class: 'finding ' + weight(finding) },
    element('strong', {}, weight(finding) + '[' + finding.rule + '] '), text(finding.sentence));
}

// Names the subscription because of which this one leaks.
function leaksWith(finding) {
  const root = members(finding)[0];
  return element('p', { class: 'finding ' + weight(finding) },
    element('strong', {}, weight(finding) + '[' + finding.rule + '] '), 'leaks with ', link(root), ' ',
    root.isMissing ? null : text(root.site.lane));
}

// Returns what keeps a subscription alive, and what to do.
function explanation(sub) {
  const finding = sub.findings.find(finding => finding.retention && members(finding)[0] === sub)
    || sub.findings[0];
  return finding ? reason(finding, sub.log).filter(node => node) : [];
}

const weight = finding => finding.proven ? finding.level : 'unproven';

function chain(name, all, maxCount) {
  if (!all.length) return [];
  const entries = all.slice(0, maxCount).map(sub => element('li', {}, link(sub), ' ',
    sub.isMissing ? null : text(sub.site.lane),
    sub.isMissing || !sub.site.source ? null : element('div', { class: 'quiet code' }, sub.site.source)));
  if (all.length > maxCount) {
    entries.push(element('li', { class: 'quiet' }, 'and ' + number(all.length - maxCount) + ' more'));
  }
  return [element('h3', {}, name), element('ul', { class: 'chain' }, ...entries)];
}

function story(sub) {
  if (!sub.events.length) return [];
  const times = moments(sub.events.map(event => event[1]));
  const entries = sub.events.map(([event, , file, line, value], index) => element('li', {},
    element('span', { class: 'when' }, times[index]), ' ',
    element('span', { class: 'event ' + event }, event), ' ',
    value === undefined ? null : text(value, 'code'),
    element('div', { class: 'quiet code' }, data.files[file] + ':' + line)));
  return [element('h3', {}, 'Last events'), element('ol', { class: 'story' }, ...entries)];
}
