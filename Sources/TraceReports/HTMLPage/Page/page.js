// The head of the page, the search, and the start of the script.
const outcomes = {
  clean: ['good', 'clean'], findings: ['bad', 'findings'], inconclusive: ['doubtful', 'inconclusive'],
};

// Without subscriptions, a search for leaked objects has only findings.
const isOnlyObjects = data.logs.length > 0 && data.logs.every(log => log.searched !== undefined)
  && !data.shown.allSubscriptions;

function showHead() {
  const [name, word] = outcomes[data.outcome];
  const logs = data.logs.slice(0, 12).map(showLog);
  if (data.logs.length > 12) {
    logs.push(element('p', { class: 'quiet' }, '+' + counted(data.logs.length - 12, 'more log')));
  }
  const { shown } = data;
  const isPart = shown.subscriptions < shown.allSubscriptions || shown.findings < shown.allFindings
    || shown.from > 0 || shown.to < data.duration;
  const part = element('p', { class: 'notice' }, 'Shown: ' + number(shown.subscriptions) + ' of '
    + counted(shown.allSubscriptions, 'subscription') + ' and ' + number(shown.findings) + ' of '
    + counted(shown.allFindings, 'finding')
    + (shown.from > 0 || shown.to < data.duration
      ? ', alive between ' + duration(shown.from) + ' and ' + duration(shown.to) : ''));
  $('head').replaceChildren(
    element('div', { class: 'title' }, element('h1', {}, text(data.title)),
      element('span', { class: 'outcome ' + name }, word)),
    element('p', { class: 'verdict' }, data.verdict), ...logs, isPart ? part : '', sections());
}

function sections() {
  const entry = (id, name, count) => element('a', { href: '#' + id }, name + ' ',
    count === null ? null : element('span', { class: 'quiet' }, count));
  if (isOnlyObjects) return '';
  return element('nav', { 'aria-label': 'Sections' }, entry('timeline', 'Timeline', null),
    entry('findings', 'Findings', number(data.groups.length)), entry('lane-table', 'Lanes', number(data.lanes.length)),
    entry('sub-table', 'Subscriptions', drawnOfAll()));
}

const drawnOfAll = () => number(subs.length)
  + (subs.length < data.shown.subscriptions ? ' of ' + number(data.shown.subscriptions) : '');

function showLog(log) {
  const header = log.header || {};
  const started = header.started
    ? header.started.replace(/^(.+)T(\d\d:\d\d:\d\d).*Z$/, '$1 $2 UTC') : null;
  const facts = [
    data.logs.length > 1 ? logName(data.logs.indexOf(log)) : null,
    header.pid && data.logs.length === 1 ? 'pid ' + header.pid : null,
    header.host ? 'on ' + header.host : null, started ? 'started ' + started : null,
    ...(log.searched === undefined ? [
      'lasted ' + duration(log.duration), counted(log.records, 'record'),
      counted(log.subscriptions, 'subscription')
        + (log.active ? ' (' + number(log.active) + ' still active)' : ''),
    ] : [
      counted(log.searched, 'byte') + ' searched',
      log.leaked.objects ? counted(log.leaked.objects, 'leaked object') + ' (' + counted(log.leaked.bytes, 'byte') + ')'
        : 'no leaked objects',
    ]),
    log.end ? 'ended cleanly' : null,
  ].filter(fact => fact);
  const doubts = log.doubts.map(doubt => element('p', { class: 'doubt' }, doubt.sentence));
  const damage = log.damage.map(one => element('p', { class: 'doubt' },
    one.file + ':' + one.line + ': ' + one.sentence));
  return element('div', { class: 'log' },
    element('ul', { class: 'facts' }, ...facts.map(fact => element('li', {}, fact))), ...doubts, ...damage);
}

let filterTables = [];
function search() {
  const words = $('search').value.trim().toLowerCase();
  const fits = name => name.toLowerCase().includes(words);
  let shown = 0;
  for (const lane of lanes) {
    lane.isShown = !words || fits(lane.name);
    lane.node.hidden = !lane.isShown;
    if (lane.isShown) shown += 1;
  }
  $('search-count').textContent = words ? number(shown) + ' of ' + number(lanes.length) : '';
  const [filterLanes, filterSubs] = filterTables;
  filterLanes(row => !words || fits(row.lane));
  filterSubs(sub => !words || fits(sub.site.lane));
  lay();
}

function start() {
  showHead();
  showFindings();
  if (isOnlyObjects) {
    for (const id of ['timeline', 'lane-table', 'sub-table']) $(id).hidden = true;
  } else if (!subs.length) {
    $('timeline').replaceChildren(element('p', { class: 'notice' }, data.shown.allSubscriptions
      ? 'No subscription of the log is left by the filters.'
      : 'The log has no subscriptions. Add .lane("name") to a pipeline to see it.'));
    $('lane-table').hidden = $('sub-table').hidden = true;
  } else {
    $('lanes').replaceChildren(...lanes.map(buildLane));
    showLegend();
    filterTables = [laneTable(), subscriptionTable()];
    show(whole.from, whole.to);
    watchSize();
    lay(true);
    watchPointer();
    watchKeys();
    $('search').addEventListener('input', search);
    addEventListener('hashchange', follow);
    follow();
  }
  // These attributes let other programs check that the page is complete.
  document.body.dataset.folded = lanes.reduce((sum, lane) => sum + (lane.folded ? lane.folded.count : 0), 0);
  document.body.dataset.ready = subs.length;
}
start();
