// The search for findings, lanes, values and subscriptions. The search of the browser does not see
// rows that are not in the document.
const search = { words: '', problem: '', hasOnlyTexts: false, selected: new Set(), results: [], active: -1, limits: {}, filters: [] };
// What can be found: for each kind, its name and a function that returns the results of a query.
// A query of nothing but texts also finds what is not a subscription.
const isText = query => termsOf(query).every(term => term.name === 'text' && !term.isNegated);
const hasTexts = (query, texts) => holds(query, term => texts.some(text => text && term.fits(text)));
const isChosen = member => search.selected.has(find(member.log, member.id));
const searchKinds = [
  ['finding', query => data.groups.map((group, index) => ({ group, index, finding: data.findings[group.findings[0]] }))
    .filter(({ group, finding }) => isText(query) ? hasTexts(query, [finding.rule, finding.lane, finding.source, group.message,
      finding.advice, finding.sentence, finding.observed && finding.observed.source, finding.observed && finding.observed.function,
      ...((finding.retention && finding.retention.path) || [])])
      : group.findings.some(index => data.findings[index].subscriptions.some(isChosen)))
    .map(({ group, finding }) => ({ href: '#' + group.id, words: finding.rule + ' ' + finding.lane, more: group.message,
      lane: finding.objects ? null : finding.lane }))],
  ['lane', query => {
    const withChosen = new Set([...search.selected].map(sub => sub.site.lane));
    return lanes.filter(lane => isText(query) ? hasTexts(query, [lane.name]) : withChosen.has(lane.name))
      .map(lane => ({ href: laneAddress(lane), words: lane.name, more: counted(lane.count, 'subscription'), lane: lane.name }));
  }],
  ['value', query => {
    const terms = termsOf(query).filter(term => term.fits && !term.isNegated);
    const kinds = { value: 'next', error: 'failed' };
    const fits = event => event[4] !== undefined
      && terms.some(term => (!kinds[term.name] || kinds[term.name] === event[0]) && term.fits(event[4]));
    return [...search.selected].flatMap(sub => sub.events.filter(fits)
      .map(event => ({ href: address(sub), words: event[4], more: title(sub) + ' ' + sub.site.lane + ' at ' + duration(event[1]), sub })));
  }],
  ['subscription', query => subs.filter(sub => isText(query)
    ? hasTexts(query, [title(sub), sub.site.source, sub.observed && sub.observed.source, sub.observed && sub.observed.function])
    : search.selected.has(sub))
    .map(sub => ({ href: address(sub), words: title(sub) + ' ' + sub.site.lane, more: sub.site.source || '', sub }))],
];
const firstResults = 6;

function runSearch() {
  search.words = $('search').value.trim();
  search.problem = '';
  let query = null;
  try {
    if (search.words) query = parseQuery(search.words);
  } catch (error) {
    search.problem = error.message;
  }
  search.limits = {};
  search.active = -1;
  search.hasOnlyTexts = query !== null && isText(query);
  $('search').setAttribute('aria-invalid', String(search.problem !== ''));
  search.selected = new Set(query ? subs.filter(sub => holds(query, term => term.meets(sub))) : []);
  search.found = query ? searchKinds.map(([name, results]) => [name, results(query)]) : [];
  filterRows();
  showResults();
}

// Leaves the lanes and the rows of the tables that have a result.
function filterRows() {
  if (!subs.length) return;
  const { words } = search;
  const names = new Set();
  const ofSubs = new Set(search.selected);
  for (const [, results] of search.found) {
    for (const { lane, sub } of results) {
      if (lane) names.add(lane);
      if (sub) ofSubs.add(sub);
    }
  }
  const withSub = new Set([...ofSubs].map(sub => sub.lane));
  for (const lane of lanes) lane.isShown = !words || names.has(lane.name) || withSub.has(lane);
  const shown = lanes.filter(lane => lane.isShown);
  const isSame = shown.length === shownLanes.length && shown.every((lane, index) => lane === shownLanes[index]);
  shownLanes = shown;
  const [filterLanes, filterSubs] = search.filters;
  const inTable = new Set(shown.map(lane => lane.name));
  filterLanes(row => !words || inTable.has(row.lane));
  // The rows are those that the query selects everywhere, unless it is a text that only a finding has.
  filterSubs(sub => !words || (search.selected.size || !search.hasOnlyTexts ? search.selected.has(sub)
    : names.has(sub.site.lane) || ofSubs.has(sub)));
  if (isSame) return;
  placeLanes();
  mountLanes();
  layAxis();
}

function showResults() {
  const box = $('results');
  search.results = [];
  const nodes = [];
  for (const [name, results] of search.found) {
    if (!results.length) continue;
    nodes.push(element('div', { class: 'group', role: 'presentation' }, counted(results.length, name)
      + (name === 'value' ? ' in the last events of ' + counted(subs.length, 'subscription') : '')));
    const limit = search.limits[name] || firstResults;
    for (const result of results.slice(0, limit)) nodes.push(option(result));
    const rest = results.length - limit;
    if (rest > 0) nodes.push(option({ words: number(rest) + ' more', more: '', expands: name }));
  }
  if (search.words && !nodes.length) nodes.push(element('div', { class: 'group' }, search.problem || 'Nothing found'));
  box.replaceChildren(...nodes);
  box.hidden = !nodes.length;
  $('search').setAttribute('aria-expanded', String(!box.hidden));
  const count = search.found.reduce((sum, [, results]) => sum + results.length, 0);
  $('search-count').textContent = search.words ? counted(count, 'result') : '';
  activate(search.active);
}

function option(result) {
  const index = search.results.push(result) - 1;
  result.node = element('div', { class: 'option', role: 'option', id: 'result-' + index, 'aria-selected': 'false',
    onpointerdown: event => { event.preventDefault(); openResult(index); } },
  text(result.words), ' ', text(result.more, 'text quiet'));
  return result.node;
}

function activate(index) {
  const last = search.results[search.active];
  if (last) last.node.setAttribute('aria-selected', 'false');
  search.active = index;
  const result = search.results[index];
  if (!result) return $('search').removeAttribute('aria-activedescendant');
  result.node.setAttribute('aria-selected', 'true');
  result.node.scrollIntoView({ block: 'nearest' });
  $('search').setAttribute('aria-activedescendant', result.node.id);
}

function openResult(index) {
  const result = search.results[index];
  if (!result) return;
  if (result.expands) {
    search.limits[result.expands] = (search.limits[result.expands] || firstResults) + 50;
    search.active = index;
    return showResults();
  }
  closeResults();
  if (location.hash === result.href) {
    follow();
    return focusShown(result);
  }
  // The page follows the address first.
  addEventListener('hashchange', () => focusShown(result), { once: true });
  location.hash = result.href;
}

// Moves the focus from the search to what a result leads to. Findings take it themselves.
function focusShown({ sub, href }) {
  const target = sub ? $('details').querySelector('h2')
    : href.startsWith('#lane=') ? document.querySelector('.lane.chosen .lane-name') : null;
  if (!target) return;
  if (sub) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

function closeResults() {
  $('results').hidden = true;
  $('search').setAttribute('aria-expanded', 'false');
}

function clearSearch() {
  $('search').value = '';
  runSearch();
}

function watchSearch() {
  const input = $('search');
  input.closest('.search').hidden = false;
  input.addEventListener('input', runSearch);
  input.addEventListener('focus', () => { if (search.words) showResults(); });
  input.addEventListener('blur', closeResults);
  input.addEventListener('keydown', event => {
    const count = search.results.length;
    const isOpen = !$('results').hidden;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!count) return;
      event.preventDefault();
      if (!isOpen) showResults();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      activate(search.active < 0 ? (step > 0 ? 0 : count - 1) : (search.active + step + count) % count);
    } else if (event.key === 'Enter' && count) {
      event.preventDefault();
      if (isOpen) openResult(Math.max(0, search.active)); else showResults();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (isOpen) closeResults(); else clearSearch();
    }
  });
  addEventListener('keydown', event => {
    const isTyping = event.target.closest && event.target.closest('input');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}
