// Formats times and numbers like the text report.
const number = count => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
const counted = (count, one) => number(count) + ' ' + one + (count === 1 ? '' : 's');

function duration(time) {
  if (time < 1000) return Math.round(time) + ' ns';
  for (const [size, name] of [[1e3, 'µs'], [1e6, 'ms'], [1e9, 's']]) {
    // Whole numbers give the same rounding as in the terminal.
    const power = time < 10 * size ? 100 : time < 100 * size ? 10 : 1;
    const scaled = Math.floor((Math.floor(time / (size / 1000)) * power + 500) / 1000);
    if (scaled < 1000 * power && (size < 1e9 || time < 59.95e9)) return scaled / power + ' ' + name;
  }
  const pair = (large, name, small, smallName) =>
    small ? large + ' ' + name + ' ' + small + ' ' + smallName : large + ' ' + name;
  const seconds = Math.round(time / 1e9);
  if (seconds < 3600) return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(minutes / 60);
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

// Returns a time with as many digits as tell it from others that are `gap` or more away.
function moment(time, gap) {
  const words = duration(time);
  const isClear = !gap || (duration(time + gap) !== words && (time < gap || duration(time - gap) !== words));
  return isClear ? words : tickName(time, 10 ** Math.floor(Math.log10(gap)), time);
}

// Returns ascending times with enough digits to tell neighbors apart.
function moments(times) {
  const gaps = times.slice(1).map((time, index) => time - times[index]).filter(gap => gap > 0);
  const gap = Math.min(...gaps);
  return times.map(time => moment(time, gaps.length ? gap : 0));
}

// Returns a round step of at least a given length.
function roundStep(atLeast) {
  for (let power = 1; power <= 1e9; power *= 10) {
    for (const factor of [1, 2, 5]) if (power * factor >= atLeast) return power * factor;
  }
  const longer = [10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];
  for (const step of longer) if (step * 1e9 >= atLeast) return step * 1e9;
  let days = 86400e9;
  while (days < atLeast) days *= 2;
  return days;
}

// Returns the label for a time on an axis with ticks `step` apart and the end `end`. The label has
// as many digits as it takes to tell the ticks apart.
function tickName(time, step, end) {
  if (time === 0) return '0';
  const digits = unit => Math.max(0, Math.round(Math.log10(unit / step) + 0.35));
  if (end < 120e9) {
    const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
    const [unit, name] = units.find(([size]) => size <= end) || [1, 'ns'];
    return (time / unit).toFixed(digits(unit)) + ' ' + name;
  }
  const two = value => String(value).padStart(2, '0');
  const whole = Math.floor(time / 1e9 + 1e-9);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const places = digits(1e9);
  const part = places ? (time / 1e9 % 1).toFixed(places).slice(1) : '';
  return (hours ? hours + ':' + two(minutes) : minutes) + ':' + two(whole % 60) + part;
}
