// Packs the subscriptions of a lane into rows without overlap. The least important ones are folded.
const maxRows = 12;
// An active subscription is known only up to the end of its log.
const endOf = sub => sub.end === null ? sub.start + sub.age : sub.end;
// A lower rank is more important.
const rank = sub => sub.isSuspect ? 0 : sub.state === 'failed' ? 2 : sub.state === 'released' ? 3
  : sub.state === 'active' && !sub.livesUntilExit ? 1 : 4;

// Puts each subscription into the first row that is free at its start. Returns null if there are
// more rows than allowed.
function packed(members, gap, most) {
  const rows = [];
  const ends = [];
  for (const sub of members) {
    let row = ends.findIndex(end => end <= sub.start);
    if (row < 0) {
      if (rows.length === most) return null;
      row = rows.push([]) - 1;
    }
    rows[row].push(sub);
    ends[row] = Math.max(endOf(sub), sub.start) + gap;
  }
  return rows;
}

// Gives rows to the most important subscriptions first, and to longer ones before shorter ones.
function packedByRank(members) {
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

// Returns the index of the first subscription of a row that begins after a time.
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
  const rows = packed(sorted, window * 0.02, 4) || packed(sorted, 0, isOpen ? Infinity : maxRows);
  return rows ? { rows, folded: [] } : packedByRank(sorted);
}

// Returns a function with the highest number of live subscriptions between two times, roughly, and
// the highest number of all.
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
  const at = time => upTo(starts, time) - upTo(ends, time);
  const alive = (from, to) => {
    const most = Math.max(at(from), at(to));
    return most || (upTo(starts, to) > upTo(starts, from) ? 1 : 0);
  };
  return { alive, most: Math.max(1, ...sampled(starts).map(at)) };
}

function sampled(times) {
  const step = Math.max(1, Math.floor(times.length / 2000));
  return times.filter((_, index) => index % step === 0);
}

// Returns the same as `occupancy` for a lane whose subscriptions are not all on the page. Each letter
// is the number in a time range, from `A` for none to `Z` for the most.
function countedOccupancy({ most, levels }) {
  const length = (data.shown.to - data.shown.from) / levels.length;
  const cell = time => Math.min(levels.length - 1, Math.max(0, Math.floor((time - data.shown.from) / length)));
  const alive = (from, to) => {
    if (to < data.shown.from || from > data.shown.to) return 0;
    let highest = 0;
    for (let index = cell(from); index <= cell(to); index += 1) {
      highest = Math.max(highest, levels.charCodeAt(index) - 65);
    }
    return highest * most / 25;
  };
  return { alive, most };
}
