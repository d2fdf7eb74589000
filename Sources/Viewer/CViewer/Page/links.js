// The fragment of the address names what the page shows: a finding (`#finding-…`), or a subscription
// or a lane and a time range (`#sub=7&from=0&to=1000`, `#from=1.5s&to=2s`). It is restored when the
// page opens.
function follow() {
  const { hash } = location;
  warn('');
  if (hash.startsWith('#finding-')) return void revealFinding(hash.slice(1));
  if (hash && !hash.includes('=')) {
    // Other fragments lead to a section.
    if (hash.length > 1 && !document.getElementById(hash.slice(1))) warn('This page has no part called ' + hash + '.');
    return;
  }
  if (!subs.length) return void (hash && warn('This page has no timeline for ' + decoded(hash) + '.'));
  const fields = new URLSearchParams(hash.slice(1));
  const count = name => fields.has(name) && /^\d+$/.test(fields.get(name)) ? Number(fields.get(name)) : null;
  followTimes(fields);
  const lane = fields.has('lane') ? (lanesByName.get(fields.get('lane')) || [])[(count('at') || 1) - 1] || null : null;
  if (fields.has('lane') && !lane) warn('This page has no lane called ' + fields.get('lane') + '.');
  chooseLane(lane);
  const id = count('sub');
  const sub = id === null ? null : find(count('log') || 0, id);
  if (sub && sub.lane) select(sub); else if (id !== null) showMissing(id); else select(null);
  if (!/[#&](from|to)=/.test(hash)) noteView();
}

function decoded(hash) {
  try { return decodeURIComponent(hash); } catch { return hash; }
}

// Says what is wrong with the address of the page.
function warn(sentence) {
  const notice = $('link-notice');
  if (sentence || !notice.hidden) { notice.textContent = sentence; notice.hidden = !sentence; }
  if (sentence) notice.scrollIntoView({ block: 'center' });
}

// Returns the nanoseconds of a time such as `1.5s`, `250ms` or `1000`, or null.
function parsedTime(words) {
  const match = /^(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s|min|m|h)?$/.exec(words.trim());
  if (!match) return null;
  const units = { ns: 1, us: 1e3, 'µs': 1e3, ms: 1e6, s: 1e9, min: 60e9, m: 60e9, h: 3600e9 };
  return Number(match[1]) * units[match[2] || 'ns'];
}

function followTimes(fields) {
  if (!fields.has('from') && !fields.has('to')) return;
  const [from, to] = ['from', 'to'].map(name => fields.has(name) ? parsedTime(fields.get(name)) : whole[name]);
  const wrong = from === null ? 'from' : to === null ? 'to' : null;
  const range = moments([whole.from, whole.to]).join(' to ');
  if (wrong) warn('The address has ' + wrong + '=' + fields.get(wrong) + ', which isn\'t a time such as 250ms or 1.5s.');
  else if (from >= to) warn('The address has a time range that ends before it begins: from=' + (fields.get('from') ?? from) + ', to=' + (fields.get('to') ?? to) + '.');
  else if (to < whole.from || from > whole.to) warn('The time range of the address is outside of this page, which shows ' + range + '.');
  else show(from, to);
}

function chooseLane(lane) {
  if (chosen.lane && chosen.lane.node) chosen.lane.node.classList.remove('chosen');
  chosen.lane = lane;
  if (!lane) return;
  if (!lane.isShown) clearSearch();
  revealLane(lane);
  if (lane.node) lane.node.classList.add('chosen');
}

let noting = 0;
// Notes what is shown in the address, soon.
function noteView() {
  clearTimeout(noting);
  noting = setTimeout(writeAddress, 150);
}

function writeAddress() {
  const parts = [];
  if (chosen.sub) parts.push(address(chosen.sub).slice(1));
  else if (chosen.lane) parts.push(laneAddress(chosen.lane).slice(1));
  if (!isWhole()) parts.push('from=' + Math.round(view.from) + '&to=' + Math.round(view.to));
  // A link to a finding or a section stays if there is nothing else to say.
  if (!parts.length && !location.hash.includes('=')) return;
  try {
    history.replaceState(null, '', parts.length ? '#' + parts.join('&') : location.pathname + location.search);
  } catch {
    // Some viewers of reports don't let a page change its address.
  }
}

function revealFinding(id) {
  showAllRules();
  const card = document.getElementById(id);
  if (card) {
    const rest = card.closest('#more-findings');
    if (rest) rest.open = true;
    card.scrollIntoView({ block: 'start' });
    return card.focus({ preventScroll: true });
  }
  const index = data.groups.findIndex(group => group.id === id);
  if (index >= 0) return revealBrief(index + 1);
  warn('This page has no finding ' + id.slice(8) + '. ' + (data.groups.length
    ? 'It may be fixed, or this may be the report of another run.' : 'The rules found nothing.'));
}

// Selects the text of a finding that has no card.
function revealBrief(number) {
  const block = [...document.querySelectorAll('.briefs')].findLast(block => Number(block.id.slice(9)) <= number);
  if (!block) return;
  const text = block.firstChild;
  const placeOf = number => ('\n' + text.data).indexOf('\n' + number + '. ');
  const [start, next] = [placeOf(number), placeOf(number + 1)];
  if (start < 0) return;
  $('more-findings').open = true;
  const range = document.createRange();
  range.setStart(text, start);
  range.setEnd(text, next < 0 ? text.length : next - 1);
  block.tabIndex = -1;
  block.focus({ preventScroll: true });
  block.scrollIntoView({ block: 'start' });
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  scrollBy({ top: range.getBoundingClientRect().top - innerHeight * 0.2 });
}
