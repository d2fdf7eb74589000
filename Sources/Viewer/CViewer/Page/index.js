// The index of the findings: a row for each line and rule, and buttons that leave some rules.
const index = { rules: new Set(), filter: null, chips: [] };

function showIndex() {
  if (data.groups.length < 2) return;
  const rows = data.groups.map((group, order) => {
    const finding = data.findings[group.findings[0]];
    const seen = finding.observed;
    return { order, group, rule: finding.rule, fix: finding.advice || '', count: group.findings.length,
      place: (seen && (seen.source || seen.function)) || finding.source || finding.function || 'unknown' };
  });
  // Lines are in the order of their numbers.
  const lineOrder = place => place.replace(/\d+$/, line => line.padStart(9, '0'));
  const title = document.querySelector('#findings-title .quiet');
  const { box, filter } = grid('Findings by line', [
    { name: 'line', isText: true, value: row => lineOrder(row.place),
      show: row => element('a', { href: '#' + row.group.id, class: 'code', 'data-link': row.order }, row.place) },
    { name: 'rule', isText: true, value: row => row.order,
      show: row => element('span', { class: 'rule ' + row.group.severity }, row.rule) },
    { name: 'times', value: row => row.count, show: row => number(row.count) },
    { name: 'lane', isText: true, value: row => row.group.lanes, show: row => text(row.group.lanes) },
    { name: 'fix', isText: true, value: row => row.fix, show: row => text(row.fix || row.group.message, 'text quiet') },
  ], rows, 1, 24, count => {
    title.textContent = count === rows.length ? number(count) : number(count) + ' of ' + number(rows.length);
  });
  index.filter = filter;
  $('findings-index').replaceChildren(ruleButtons(rows), box);
}

function ruleButtons(rows) {
  const counts = new Map();
  for (const row of rows) counts.set(row.rule, (counts.get(row.rule) || 0) + 1);
  if (counts.size < 2) return '';
  index.chips = [...counts].map(([rule, count]) => element('button', {
    type: 'button', class: 'chip', 'aria-pressed': 'false', onclick: event => {
      const isOn = event.currentTarget.getAttribute('aria-pressed') === 'true';
      if (isOn) index.rules.delete(rule); else index.rules.add(rule);
      event.currentTarget.setAttribute('aria-pressed', String(!isOn));
      filterFindings();
    },
  }, rule + ' ', element('span', { class: 'quiet' }, number(count))));
  return element('div', { class: 'chips', role: 'group', 'aria-label': 'Rules to show' }, ...index.chips);
}

// Leaves the rows and the cards of the chosen rules, or all if none is chosen.
function filterFindings() {
  const { rules, filter } = index;
  const isShown = rule => !rules.size || rules.has(rule);
  filter(row => isShown(row.rule));
  const ruleOf = new Map(data.groups.map(group => [group.id, data.findings[group.findings[0]].rule]));
  for (const card of document.querySelectorAll('.card')) card.hidden = !isShown(ruleOf.get(card.id));
}

function showAllRules() {
  if (!index.rules.size) return;
  index.rules.clear();
  for (const chip of index.chips) chip.setAttribute('aria-pressed', 'false');
  filterFindings();
}
