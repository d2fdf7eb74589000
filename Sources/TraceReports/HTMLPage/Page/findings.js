// The findings: a card for each mistake, and a picture of what keeps its subscription alive.
const members = finding => finding.subscriptions.map(member => find(member.log, member.id)
  || { id: member.id, log: member.log, isMissing: true });
const followers = finding => (finding.consequences || []).map(member =>
  find(finding.subscriptions[0].log, member.subscription)
  || { id: member.subscription, log: finding.subscriptions[0].log, lane: member.lane, isMissing: true });

function showFindings() {
  const maxCards = 100;
  const rest = data.groups.length - maxCards;
  $('findings').replaceChildren(
    element('h2', { id: 'findings-title' }, 'Findings ', element('span', { class: 'quiet' }, data.verdict)),
    element('div', { class: 'cards' }, ...data.groups.slice(0, maxCards).map(card)),
    rest > 0 ? element('p', { class: 'quiet' }, 'and ' + number(rest) + ' more locations; --format json lists all') : '');
}

function card(group) {
  const findings = group.findings.map(index => data.findings[index]);
  const first = findings.find(finding => finding.proven) || findings[0];
  const root = members(findings[0])[0];
  const severity = weight(first);
  return element('article', { class: 'card ' + severity + (findings[0].retention ? ' wide' : '') },
    element('h3', {}, element('span', { class: 'rule' }, severity + '[' + first.rule + ']'), ' ',
      text(first.lane), ' ', first.objects ? null : link(root), findings.length > 1 ? ' ×' + number(findings.length) : null),
    ...place(findings[0]),
    element('p', {}, text(group.message)),
    ...reason(findings[0], root.log), ...involved(findings));
}

// Returns where the mistake was made: where the subscription was observed, or else where its lane is.
function place(finding) {
  const where = (words, source, name) => element('p', { class: 'place' }, words,
    source ? text(source, 'code') : null, source && name ? ' ' : null,
    name ? text(name, 'code quiet') : null);
  const seen = finding.observed;
  if (!seen) return [where('', finding.source || 'source location unknown', finding.function)];
  const lane = finding.source
    ? element('p', { class: 'quiet' }, 'its lane is at ', text(finding.source, 'code')) : null;
  return [where(seen.source ? 'observed at ' : 'observed in ', seen.source, seen.function), lane];
}

// Returns who holds the subscription, what keeps it alive, and what to do.
function reason(finding, log) {
  const why = finding.retention;
  const isMarked = why && why.path && why.break !== undefined;
  const cause = finding.cause;
  const maker = cause && (find(log, cause.subscription) || { id: cause.subscription, isMissing: true });
  return [
    why && why.holder ? element('p', { class: 'holder' }, text(why.holder)) : null,
    why && why.path ? picture(why, log, finding.objects)
      : finding.objects ? element('figure', { class: 'path' }, hanging(finding.objects, false)) : null,
    why && why.note ? element('p', { class: 'quiet' }, text(why.note)) : null,
    cause ? element('p', { class: 'quiet' }, 'made by an event of ', link(maker),
      cause.lane ? text(' ' + cause.lane) : null, ' at ' + duration(cause.time)) : null,
    finding.advice && !(isMarked && finding.advice === why.advice)
      ? element('p', { class: 'advice' }, element('strong', {}, 'Fix: '), text(finding.advice)) : null,
  ];
}

// Returns a list of all subscriptions of a card, each above those that leak with it.
function involved(findings) {
  if (findings[0].objects) return others(findings);
  const roots = findings.map(finding => ({ finding, all: members(finding), below: followers(finding) }));
  const count = roots.reduce((sum, root) => sum + root.all.length + root.below.length, 0);
  if (count < 2) return [];
  const isOnly = roots.length === 1;
  const upstream = roots.reduce((sum, root) => sum + root.below.length, 0);
  const limited = (all, most, make) => [...all.slice(0, most).map(make),
    all.length > most ? element('li', { class: 'quiet' }, 'and ' + number(all.length - most) + ' more') : null];
  const line = sub => [link(sub), ' ', text(sub.isMissing ? sub.lane || '' : sub.site.lane),
    sub.isMissing ? null : element('span', { class: 'quiet' }, ' ' + kindNames[kind(sub)] + ', '
      + counted(sub.allElements, 'element'))];
  const entry = ({ finding, all, below }) => element('li', {}, ...line(all[0]), ' ',
    isOnly ? null : text(finding.sentence, 'quiet'),
    element('ul', {}, ...limited([...all.slice(1), ...below], 50, sub => element('li', {}, ...line(sub)))));
  const title = counted(count - upstream, 'subscription')
    + (upstream ? ' and ' + number(upstream) + ' upstream' : '');
  return [element('details', { open: !findings[0].retention && count <= 5 },
    element('summary', {}, title), element('ul', { class: 'tree' }, ...limited(roots, 50, entry)))];
}

// Returns the same mistake in other processes.
function others(findings) {
  if (findings.length < 2) return [];
  const line = finding => element('li', {}, text(logName(finding.subscriptions[0].log)), ': ',
    text(finding.sentence, 'quiet'));
  const rest = findings.length - 50;
  return [element('details', {}, element('summary', {}, 'and ' + number(findings.length - 1) + ' more'),
    element('ul', { class: 'tree' }, ...findings.slice(1, 50).map(line),
      rest > 0 ? element('li', { class: 'quiet' }, 'and ' + number(rest) + ' more') : null))];
}

// Draws a cycle as a ring, and the steps of a path below each other. Each holds the next one. A line
// at the left leads from the end of a cycle back to its beginning. Without room for the ring, only
// the list is shown.
function picture(why, log, objects) {
  const steps = why.path.map((what, index) => ({
    index, what, detail: why.details[index] || '', site: why.sites[index] || '',
    subscription: why.steps[index].sub,
  }));
  const ring = why.kind === 'cycle' ? steps.length - (why.tail || 0) : 0;
  const probably = why.proof === 'probable' ? 'probably ' : '';
  const words = ring > 1 ? 'a cycle: each step holds the next, and the last one the first'
    : ring === 1 ? 'a cycle of one step, which holds itself' : 'a chain: each step holds the next';
  const tail = ring && ring < steps.length ? ', and the rest leads to the subscription' : '';
  const list = element('ol', { class: 'steps', role: 'list' });
  const shown = new Set(why.shown);
  const fill = isWhole => {
    const nodes = [];
    let last = -1;
    for (const step of steps) {
      if (!isWhole && shown.size && !shown.has(step.index)) continue;
      if (step.index > last + 1) nodes.push(gap(step.index - last - 1, step.index < ring, () => fill(true)));
      nodes.push(drawStep(step, why, ring, log));
      last = step.index;
    }
    list.replaceChildren(...nodes);
    // The button that had the focus is gone.
    if (isWhole) { list.tabIndex = -1; list.focus({ preventScroll: true }); }
  };
  fill(false);
  const hung = objects ? hanging(objects, ring > 0) : null;
  const caption = element('figcaption', {}, probably + 'kept alive by ' + words + tail);
  if (!ring) return element('figure', { class: 'path' }, caption, list, hung);
  const graph = element('div', { class: 'graph' }, ringOf(why, ring, objects), hung);
  const isMarked = why.break !== undefined;
  const figure = element('figure', { class: 'path cycle with-ring' }, caption, graph, isMarked ? breakAdvice(why, 'mark of-ring') : null, list);
  const button = element('button', { type: 'button', class: 'as-list', 'aria-expanded': 'false', onclick: () => {
    const isOpen = figure.classList.toggle('listed');
    button.setAttribute('aria-expanded', String(isOpen));
  } }, 'Steps as a list');
  figure.insertBefore(button, list);
  return figure;
}

function breakAdvice(why, name) {
  return element('p', { class: name }, element('strong', {}, 'Break it here'), why.advice ? text(why.advice) : null);
}

function gap(count, isOnRing, open) {
  return element('li', { class: 'step gap' + (isOnRing ? ' ring' : '') },
    element('button', { type: 'button', class: 'more', onclick: open }, counted(count, 'more step')));
}

function drawStep(step, why, ring, log) {
  const isOnRing = step.index < ring;
  const isBreak = step.index === why.break;
  const names = ['step', isOnRing && 'ring', step.index === 0 && 'first', step.index === ring - 1 && 'back',
    step.index === why.path.length - 1 && 'end', isBreak && 'break'];
  const id = step.subscription ? find(log, step.subscription) : null;
  const detail = id ? element('span', { class: 'detail' }, link(id), ' ' + (id.end === null ? 'active' : kindNames[kind(id)]) + ' for '
    + duration(id.age) + ', ' + counted(id.allElements, 'element'))
    : step.detail ? text(step.detail, 'text detail') : null;
  const file = step.site.slice(step.site.lastIndexOf('/') + 1);
  const site = step.site && !step.what.includes(file) ? text(step.site, 'code quiet') : null;
  const mark = isBreak ? breakAdvice(why, 'mark') : null;
  return element('li', { class: names.filter(name => name).join(' ') },
    element('span', { class: 'node', 'aria-hidden': 'true' }),
    element('div', { class: 'words' }, text(step.what || '?', 'text what'), detail, site), mark);
}
