// The lanes and the subscriptions. A click on a heading sorts a table.
const pageLength = 200;

// Builds a table whose columns are { name, value, show, isText, isDescending }.
function table(section, name, columns, rows, initial, caption) {
  const state = { column: initial, isDescending: columns[initial].isDescending || false, shown: pageLength };
  const body = element('tbody', {});
  const more = element('button', { type: 'button', class: 'more', onclick: () => {
    state.shown += pageLength * 5;
    fill();
  } });
  const heads = columns.map((column, index) => element('th', {
    scope: 'col', class: column.isText ? null : 'figure',
  }, element('button', { type: 'button', onclick: () => {
    state.isDescending = state.column === index ? !state.isDescending : !column.isText;
    state.column = index;
    fill();
  } }, column.name)));
  let visible = rows;
  const title = element('span', { class: 'quiet' });
  function fill() {
    const { value } = columns[state.column];
    const sign = state.isDescending ? -1 : 1;
    const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
    const sorted = visible.map((row, index) => [value(row), index, row])
      .sort((a, b) => sign * compare(a[0], b[0]) || a[1] - b[1]).map(entry => entry[2]);
    body.replaceChildren(...sorted.slice(0, state.shown).map(row => element('tr', {},
      ...columns.map(column => element('td', { class: column.isText ? null : 'figure' }, column.show(row))))));
    heads.forEach((head, index) => {
      if (index !== state.column) return head.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', state.isDescending ? 'descending' : 'ascending');
    });
    const rest = sorted.length - state.shown;
    more.hidden = rest <= 0;
    more.textContent = 'Show more of ' + number(rest);
    const most = rows === subs ? data.shown.subscriptions : rows.length;
    title.textContent = visible.length === most
      ? number(most) : number(visible.length) + ' of ' + number(most);
  }
  fill();
  $(section).replaceChildren(
    element('h2', { id: section + '-title' }, name + ' ', title),
    caption ? element('p', { class: 'quiet caption' }, caption) : '',
    element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': section + '-title' },
      element('table', {}, element('thead', {}, element('tr', {}, ...heads)), body)), more);
  return isVisible => { visible = rows.filter(isVisible); fill(); };
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
    { name: 'lane', isText: true, value: row => row.order, show: row => text(row.lane) },
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
    { name: 'began', value: sub => sub.start, show: sub => duration(sub.start) },
    { name: 'life', value: sub => sub.age, isDescending: data.order === 'life',
      show: sub => duration(sub.age) + (sub.end === null ? '…' : '') },
    { name: 'elements', value: sub => sub.elements, isDescending: data.order === 'elements',
      show: sub => figure(sub.elements) },
    ...seen,
    { name: 'source', isText: true, value: sub => sub.site.source || '',
      show: sub => text(sub.site.source || '·', 'quiet code') },
  ], subs, initial, data.caption && 'elements are those from ' + duration(data.shown.from) + ' to '
    + duration(data.shown.to) + '; state, beginning and life are about whole lives');
}
