// The fragment of the address names what the page shows: a finding (`#finding-…`), or a subscription
// or a lane and a time range (`#sub=7&from=0&to=1000`). It is restored when the page opens.
function follow() {
  const { hash } = location;
  if (hash.startsWith('#finding-')) return void revealFinding(hash.slice(1));
  // Other fragments lead to a section.
  if (!subs.length || (hash && !hash.includes('='))) return;
  const fields = new URLSearchParams(hash.slice(1));
  const whole = name => fields.has(name) && /^\d+$/.test(fields.get(name)) ? Number(fields.get(name)) : null;
  const [from, to] = [whole('from'), whole('to')];
  if (from !== null && to !== null && from < to) show(from, to);
  chooseLane(fields.has('lane') ? (lanesByName.get(fields.get('lane')) || [])[(whole('at') || 1) - 1] || null : null);
  const id = whole('sub');
  const sub = id === null ? null : find(whole('log') || 0, id);
  if (sub && sub.lane) select(sub); else if (id !== null) showMissing(id); else select(null);
  if (!hash.includes('from=')) noteView();
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
  const card = document.getElementById(id);
  if (card) {
    const rest = card.closest('#more-findings');
    if (rest) rest.open = true;
    card.scrollIntoView({ block: 'start' });
    return card.focus({ preventScroll: true });
  }
  const index = data.groups.findIndex(group => group.id === id);
  if (index >= 0) revealBrief(index + 1);
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
  block.scrollIntoView({ block: 'start' });
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  scrollBy({ top: range.getBoundingClientRect().top - innerHeight * 0.2 });
}
