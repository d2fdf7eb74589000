// The lanes and the subscriptions. A click on a heading sorts a table. Only the rows in the visible
// part of a table are in the document.
const tableRow = 30;
const fewRows = 20;

// Builds a table whose columns are { name, value, show, isText, isDescending }, and returns its box
// and a function that leaves some of the rows. The function `count` gets the number of rows.
function grid(label, columns, rows, initial, maxOnPaper, count) {
  const state = { column: initial, isDescending: columns[initial].isDescending || false };
  const body = element('tbody', {});
  const heads = columns.map((column, index) => element('th', {
    scope: 'col', class: column.isText ? null : 'figure',
  }, element('button', { type: 'button', onclick: () => {
    state.isDescending = state.column === index ? !state.isDescending : !column.isText;
    state.column = index;
    fill();
  } }, column.name)));
  let visible = rows;
  let sorted = [];
  let extent = [0, 0];
  const table = element('table', { 'aria-label': label }, element('thead', {}, element('tr', { 'aria-rowindex': 1 }, ...heads)), body);
  const box = element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, table);

  function fill() {
    const { value } = columns[state.column];
    const sign = state.isDescending ? -1 : 1;
    const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
    sorted = visible.map((row, index) => [value(row), index, row])
      .sort((a, b) => sign * compare(a[0], b[0]) || a[1] - b[1]).map(entry => entry[2]);
    heads.forEach((head, index) => {
      if (index !== state.column) return head.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', state.isDescending ? 'descending' : 'ascending');
    });
    table.setAttribute('aria-rowcount', sorted.length + 1);
    count(visible.length);
    mountRows(true);
  }

  const line = (row, index) => element('tr', { class: index % 2 ? 'odd' : null, 'aria-rowindex': index + 2 },
    ...columns.map(column => element('td', { class: column.isText ? null : 'figure' }, column.show(row))));
  // A row that is as high as all the rows that are not in the document.
  const space = count => {
    const row = element('tr', { 'aria-hidden': 'true' }, element('td', { colspan: columns.length, class: 'space' }));
    row.firstChild.style.height = count * tableRow + 'px';
    return row;
  };

  function mountRows(isForced, isForPrint) {
    const height = box.clientHeight || 600;
    const first = isForPrint ? 0 : Math.max(0, Math.floor(box.scrollTop / tableRow / 10) * 10 - 10);
    const last = Math.min(sorted.length, isForPrint ? maxOnPaper : first + Math.ceil(height / tableRow / 10) * 10 + 30);
    if (!isForced && extent[0] === first && extent[1] === last) return;
    extent = [first, last];
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.link : null;
    body.replaceChildren(...(first ? [space(first)] : []),
      ...sorted.slice(first, last).map((row, index) => line(row, first + index)),
      ...(last < sorted.length && !isForPrint ? [space(sorted.length - last)] : []));
    if (focused) body.querySelector('[data-link="' + focused + '"]')?.focus({ preventScroll: true });
    // Columns only grow, so that they don't move while the table scrolls.
    for (const head of heads) {
      const width = head.offsetWidth;
      if (width > (head.width || 0)) { head.width = width; head.style.minWidth = width + 'px'; }
    }
  }

  let isScrolling = false;
  box.addEventListener('scroll', () => {
    if (isScrolling) return;
    isScrolling = true;
    requestAnimationFrame(() => { isScrolling = false; mountRows(false); });
  }, { passive: true });
  addEventListener('beforeprint', () => {
    const rest = sorted.length - maxOnPaper;
    if (rest > 0) box.dataset.rest = 'and ' + number(rest) + ' more in the page'; else delete box.dataset.rest;
    mountRows(true, true);
  });
  addEventListener('afterprint', () => mountRows(true));
  box.classList.toggle('long', rows.length > fewRows);
  fill();
  return { box, filter: isVisible => { visible = rows.filter(isVisible); box.scrollTop = 0; fill(); } };
}

// Fills a section with a table, and returns the function that leaves some of its rows.
function table(section, name, columns, rows, initial, caption) {
  const title = element('span', { class: 'quiet' });
  const most = rows === subs ? data.shown.subscriptions : rows.length;
  const { box, filter } = grid(name, columns, rows, initial, 20, count => {
    title.textContent = count === most ? number(most) : number(count) + ' of ' + number(most);
  });
  $(section).replaceChildren(
    element('h2', { id: section + '-title' }, name + ' ', title),
    caption ? element('p', { class: 'quiet caption' }, caption) : '', box);
  return filter;
}

const figure = count => count ? number(count) : element('span', { class: 'quiet' }, '·');
const time = value => value === undefined ? element('span', { class: 'quiet' }, '·') : duration(value);

function laneTable() {
  const state = name => ({ name, value: row => row[name], show: row => figure(row[name]) });
  const life = name => ({
    name, value: row => row.lives ? row.lives[name] : -1, show: row => time(row.lives && row.lives[name]),
  });
  const rows = data.lanes.map((lane, order) => ({ ...lane, order }));
  return table('lane-table', 'Lanes', [
    { name: 'lane', isText: true, value: row => row.order, show: row => element('a', { href: '#lane=' + encodeURIComponent(row.lane), class: 'text' }, row.lane) },
    { name: 'started', value: row => row.started, show: row => figure(row.started) },
    ...stateNames.map(state),
    { name: 'elements', value: row => row.elements, show: row => figure(row.elements) },
    life('shortest'), life('median'), life('longest'),
  ], rows, 0, data.caption);
}

function subscriptionTable() {
  const initial = { time: 3, lane: 1, elements: 5, life: 4 }[data.order] ?? 3;
  const observed = sub => sub.observed ? sub.observed.source || sub.observed.function : '';
  const seen = subs.some(sub => sub.observed) ? [{ name: 'observed', isText: true, value: observed,
    show: sub => text(observed(sub) || '·', 'quiet code') }] : [];
  return table('sub-table', 'Subscriptions', [
    { name: 'id', value: sub => sub.index, show: link },
    { name: 'lane', isText: true, value: sub => sub.site.lane, show: sub => text(sub.site.lane) },
    { name: 'state', isText: true, value: sub => kind(sub),
      show: sub => element('span', { class: 'badge ' + kind(sub) }, kindNames[kind(sub)]) },
    { name: 'began', value: sub => sub.start, show: sub => moment(sub.start, sub.gap) },
    { name: 'life', value: sub => sub.age, isDescending: data.order === 'life',
      show: sub => duration(sub.age) + (sub.end === null ? '…' : '') },
    { name: 'elements', value: sub => sub.elements, isDescending: data.order === 'elements',
      show: sub => figure(sub.elements) },
    ...seen,
    { name: 'source', isText: true, value: sub => sub.site.source || '',
      show: sub => text(sub.site.source || '·', 'quiet code') },
  ], subs, initial, data.caption && 'elements are those from ' + moments([data.shown.from, data.shown.to]).join(' to ') + '; state, beginning and life are about whole lives');
}
