// Puts the subscriptions of a lane into rows, so that none covers another; those that matter least are folded.
const mostRows = 12;
// Of one that is still active nobody knows more than its log.
const endOf = sub => sub.end === null ? sub.start + sub.age : sub.end;

// Each into the first row that is free where it begins.
function packed(members, gap) {
  const rows = [];
  const ends = [];
  for (const sub of members) {
    let row = ends.findIndex(end => end <= sub.start);
    if (row < 0) row = rows.push([]) - 1;
    rows[row].push(sub);
    ends[row] = Math.max(endOf(sub), sub.start) + gap;
  }
  return rows;
}

// The ones that matter most get a row, the longer the sooner.
function packedByRank(members) {
  const rank = sub => sub.isSuspect ? 0 : sub.state === 'active' && !sub.livesUntilExit ? 1
    : sub.state === 'failed' ? 2 : sub.state === 'released' ? 3 : 4;
  const order = members.slice().sort((a, b) =>
    rank(a) - rank(b) || b.age - a.age || a.start - b.start || a.index - b.index);
  const rows = Array.from({ length: mostRows }, () => []);
  const folded = [];
  for (const sub of order) {
    const row = rows.find(row => isFree(row, sub));
    if (row) row.splice(placeIn(row, sub.start), 0, sub);
    else folded.push(sub);
  }
  return { rows: rows.filter(row => row.length), folded };
}

function placeIn(row, time) {
  let [low, high] = [0, row.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row[middle].start <= time) low = middle + 1; else high = middle;
  }
  return low;
}

function isFree(row, sub) {
  const place = placeIn(row, sub.start);
  const [before, after] = [row[place - 1], row[place]];
  return (!before || endOf(before) <= sub.start) && (!after || endOf(sub) <= after.start);
}

// Rows of a lane, and what found no room in them.
function pack(members, isOpen) {
  const sorted = members.slice().sort((a, b) => a.start - b.start || a.index - b.index);
  const window = data.shown.to - data.shown.from;
  // Room for the signs at the ends, as long as that does not cost rows.
  const roomy = packed(sorted, window * 0.02);
  if (roomy.length <= 4) return { rows: roomy, folded: [] };
  const tight = packed(sorted, 0);
  return isOpen || tight.length <= mostRows
    ? { rows: tight, folded: [] } : packedByRank(sorted);
}

// How many of some subscriptions are alive, at any time.
function occupancy(members) {
  const starts = members.map(sub => sub.start).sort((a, b) => a - b);
  const ends = members.map(endOf).sort((a, b) => a - b);
  const upTo = (times, time) => {
    let [low, high] = [0, times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle + 1; else high = middle;
    }
    return low;
  };
  const alive = time => upTo(starts, time) - upTo(ends, time);
  return { alive, most: Math.max(1, ...sampled(starts).map(alive)) };
}

function sampled(times) {
  const step = Math.max(1, Math.floor(times.length / 2000));
  return times.filter((_, index) => index % step === 0);
}
