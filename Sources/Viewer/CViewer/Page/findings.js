// The findings: pictures of what keeps their subscriptions alive. Their texts are in the document.
const members = finding => finding.subscriptions.map(member => find(member.log, member.id)
  || { id: member.id, log: member.log, isMissing: true });

// Replaces the lists of steps in the cards by pictures, when a card comes into view.
function watchCards() {
  const groups = new Map(data.groups.map(group => [group.id, group]));
  const draw = card => {
    const finding = data.findings[groups.get(card.id).findings[0]];
    const why = card.querySelector('.why');
    why.replaceChildren(...pictures(finding, members(finding)[0].log, why.clientWidth));
  };
  const watcher = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      draw(target);
    }
  }, { rootMargin: '300px' });
  for (const why of document.querySelectorAll('.card .why')) {
    const card = why.parentElement;
    // The first ones are drawn before the page scrolls to what its address names.
    if (card.getBoundingClientRect().top < innerHeight && card.checkVisibility()) draw(card);
    else watcher.observe(card);
  }
}

function pictures(finding, log, room) {
  const why = finding.retention;
  return why && why.path ? [picture(why, log, finding.objects, room)]
    : finding.objects ? [element('figure', { class: 'path', 'aria-label': 'What leaks, by class' }, hanging(finding.objects, false))] : [];
}

// Returns who holds the subscription, what keeps it alive, and what to do.
function reason(finding, log) {
  const why = finding.retention;
  const isMarked = why && why.path && why.break !== undefined;
  const cause = finding.cause;
  const maker = cause && (find(log, cause.subscription) || { id: cause.subscription, isMissing: true });
  return [
    why && why.holder ? element('p', { class: 'holder' }, text(why.holder)) : null,
    ...pictures(finding, log),
    why && why.note ? element('p', { class: 'quiet' }, text(why.note)) : null,
    cause ? element('p', { class: 'quiet' }, 'made by an event of ', link(maker),
      cause.lane ? text(' ' + cause.lane) : null, ' at ' + duration(cause.time)) : null,
    finding.advice && !(isMarked && finding.advice === why.advice)
      ? element('p', { class: 'advice' }, element('strong', {}, 'Fix: '), text(finding.advice)) : null,
  ];
}

// Draws a cycle as a ring, and the steps of a path below each other. Each holds the next one. A line
// at the left leads from the end of a cycle back to its beginning. Without room for the ring, only
// the list is shown.
function picture(why, log, objects, room) {
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
  const sentence = probably + 'kept alive by ' + words + tail;
  const caption = element('figcaption', {}, sentence);
  if (!ring) return element('figure', { class: 'path', 'aria-label': sentence }, caption, list, hung);
  const graph = element('div', { class: 'graph' }, ringOf(why, ring, objects, room), hung);
  const isMarked = why.break !== undefined;
  const figure = element('figure', { class: 'path cycle with-ring', 'aria-label': sentence }, caption, graph,
    ring < steps.length ? tailOf(steps, why, ring, log) : null, isMarked ? breakAdvice(why, 'mark of-ring') : null, list);
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

// Draws the steps from the ring to the subscription. The log says which step they begin at, and not by
// which of its references.
function tailOf(steps, why, ring, log) {
  const shown = new Set(why.shown);
  const nodes = [];
  let last = ring - 1;
  for (const step of steps.slice(ring)) {
    if (shown.size && !shown.has(step.index)) continue;
    if (step.index > last + 1) {
      nodes.push(element('li', { class: 'step gap' }, counted(step.index - last - 1, 'more step')));
    }
    nodes.push(drawStep(step, why, ring, log));
    last = step.index;
  }
  return element('div', { class: 'tail of-ring' }, element('p', { class: 'quiet' },
    text(why.nodes[ring - 1] || 'the cycle', 'what'), ' also leads to the subscription (by a reference that the log doesn\'t name):'),
  element('ol', { class: 'steps', role: 'list' }, ...nodes));
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
