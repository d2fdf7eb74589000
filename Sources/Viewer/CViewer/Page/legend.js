// The signs and colors of the timeline in words.
function showLegend() {
  const entry = (sign, ...words) => element('li', {}, sign, element('span', {}, ...words));
  const sign = (box, ...nodes) => drawn('svg', { viewBox: box, width: 30, height: 16, 'aria-hidden': 'true' }, ...nodes);
  const life = (left, width) => drawn('rect', { class: 'life', x: left, y: -4, width, height: 8, rx: 2 });
  const meanings = {
    completed: ['completed', ': it ended'], failed: ['failed', ': it ended with an error'],
    disposed: ['disposed', ': the program disposed or cancelled it'],
    released: ['released without an end', ': it was deallocated before it ended'],
    active: ['still active', ' when the log ends'],
    suspect: ['leak', ': active although it should have ended'],
  };
  const present = new Set(subs.map(kind));
  const entries = Object.keys(meanings).filter(name => present.has(name)).map(name => entry(
    sign('-22 -8 30 16', drawn('g', { class: 'bar ' + name }, life(-22, 22), drawn('path', { class: 'end', d: 'M0 0' + ends[name] }))),
    element('strong', {}, meanings[name][0]), meanings[name][1]));
  if (subs.some(sub => sub.elements)) {
    entries.push(data.counted
      ? entry(sign('-15 -8 30 16', drawn('g', { class: 'bar active' }, life(-15, 30),
        drawn('path', { class: 'beats counted', d: 'M-9 -6h4v12h-4zM-5 -3h4v6h-4zM-1 -5h4v10h-4z' }))),
      element('strong', {}, 'elements'), ': a higher block is more of them')
      : entry(sign('-15 -8 30 16', drawn('g', { class: 'bar active' }, life(-15, 30),
        drawn('path', { class: 'beats', d: 'M-6 -6v12M2 -6v12M6 -6v12' }))),
      element('strong', {}, 'element'), ': a line for each, or one for several in a pixel'));
  }
  if (lanes.some(lane => lane.strip)) {
    entries.push(entry(sign('-15 -8 30 16', drawn('path', { class: 'strip', d: 'M-15 7V3h5V-2h4V-6h6V0h5V4h5V7z' })),
      element('strong', {}, 'live subscriptions'), ' of the whole lane: higher is more. Those with a bar are included'));
  }
  if (data.marks.length) {
    entries.push(entry(sign('-10 -10 30 16', drawn('path', { class: 'mark', d: 'M0 6v-14h6l-3 4l3 4h-6' })),
      element('strong', {}, 'mark'), ' of the program'));
  }
  entries.push(...taskLegend().map(([node, name]) => entry(node, element('strong', {}, name))));
  $('legend').append(element('ul', {}, ...entries));
  $('legend').open = !isNarrow.matches;
  $('hint').textContent = hints().join(' ');
}

function hints() {
  const hints = ['Click a bar for its details. Ctrl + wheel or pinch zooms, drag moves. The address of the page leads to what is shown.'];
  if (data.summed) {
    hints.push('There are too many waits to draw one by one. The height of a bar shows how much the task runs in its time.');
  }
  if (subs.length < data.shown.subscriptions) {
    const choice = { time: 'the earliest', lane: 'the first lanes', elements: 'the ones with the most elements',
      life: 'the longest' }[data.order] || 'suspicious ones and a fair share of each lane';
    hints.push(number(subs.length) + ' of ' + counted(data.shown.subscriptions, 'subscription')
      + ' have bars and details: ' + choice + '. The shape below the bars of a lane counts all.'
      + ' --lane, --from and --until select others' + (data.isLimited ? ', and a larger --limit draws more.' : '.'));
  }
  return hints;
}
