// Packs the subscriptions of a lane into rows without overlap. The least important ones are folded.
const maxRows = 12;
// An active subscription is known only up to the end of its log.
const endOf = sub => sub.end === null ? sub.start + sub.age : sub.end;

// Puts each subscription into the first row that is free at its start.
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

// Gives rows to the most important subscriptions first, and to longer ones before shorter ones.
function packedByRank(members) {
  const rank = sub => sub.isSuspect ? 0 : sub.state === 'active' && !sub.livesUntilExit ? 1
    : sub.state === 'failed' ? 2 : sub.state === 'released' ? 3 : 4;
  const order = members.slice().sort((a, b) =>
    rank(a) - rank(b) || b.age - a.age || a.start - b.start || a.index - b.index);
  const rows = Array.from({ length: maxRows }, () => []);
  const folded = [];
  for (const sub of order) {
    const row = rows.find(row => isFree(row, sub));
    if (row) row.splice(indexIn(row, sub.start), 0, sub);
    else folded.push(sub);
  }
  return { rows: rows.filter(row => row.length), folded };
}

function indexIn(row, time) {
  let [low, high] = [0, row.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row[middle].start <= time) low = middle + 1; else high = middle;
  }
  return low;
}

function isFree(row, sub) {
  const index = indexIn(row, sub.start);
  const [before, after] = [row[index - 1], row[index]];
  return (!before || endOf(before) <= sub.start) && (!after || endOf(sub) <= after.start);
}

// Returns the rows of a lane and the subscriptions that did not fit.
function pack(members, isOpen) {
  const sorted = members.slice().sort((a, b) => a.start - b.start || a.index - b.index);
  const window = data.shown.to - data.shown.from;
  // Leaves a gap for the signs at the ends, unless the gap costs too many rows.
  const roomy = packed(sorted, window * 0.02);
  if (roomy.length <= 4) return { rows: roomy, folded: [] };
  const tight = packed(sorted, 0);
  return isOpen || tight.length <= maxRows
    ? { rows: tight, folded: [] } : packedByRank(sorted);
}

// Returns a function that counts the subscriptions alive at a time, and the highest count.
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
