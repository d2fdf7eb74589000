// The language of queries, as /, & and --filter have it: text, /regex/i, value:x, life>1s, and, or,
// not, ( ). A text is looked for in the last events, because the page has no others.
const queryNames = ['value', 'error', 'lane', 'source', 'state', 'rule', 'id', 'has', 'alive', 'scope', 'process'];
const quantities = { life: sub => sub.age, dur: sub => sub.age, elements: sub => sub.allElements, start: sub => sub.start };
const relations = { '<=': (a, b) => a <= b, '>=': (a, b) => a >= b, '<': (a, b) => a < b, '>': (a, b) => a > b, '=': (a, b) => a === b };
const timeUnits = { ns: 1, us: 1e3, '\u00b5s': 1e3, '\u03bcs': 1e3, ms: 1e6, s: 1e9, min: 6e10, m: 6e10, h: 3.6e12, d: 8.64e13 };
const alternatives = ['lane', 'source', 'scope', 'process', 'rule', 'state', 'id'];

// Returns a time such as `1.5s` in nanoseconds, or null.
function queryTime(text) {
  if (/^(\d+\.?\d*|\.\d+)$/.test(text)) return Math.floor(Number(text) * 1e9);
  const parts = [...text.matchAll(/(\d+\.?\d*|\.\d+) *([a-z\u00b5\u03bc]+) */gy)];
  if (!parts.length || parts.map(part => part[0]).join('') !== text) return null;
  return parts.reduce((sum, [, count, unit]) => sum === null || !timeUnits[unit] ? null : sum + Math.floor(Number(count) * timeUnits[unit]), 0);
}

const containing = text => {
  const folded = text.toLowerCase();
  return /\p{Lu}/u.test(text) ? other => other.includes(text) : other => other.toLowerCase().includes(folded);
};
const matching = glob => {
  const source = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^]*').replaceAll('?', '[^]');
  const pattern = new RegExp('^' + source + '$', 'u');
  return other => pattern.test(other);
};
const textsOf = (sub, kinds) => sub.events.filter(event => event[4] !== undefined && (!kinds || kinds.includes(event[0]))).map(event => event[4]);

// Returns a term: a function that tells whether a subscription meets it, and whether a text does.
function queryTerm(name, value, isPattern) {
  if (name === 'text' || name === 'value' || name === 'error') {
    const fits = isPattern || containing(value);
    const kinds = { value: ['next'], error: ['failed'] }[name];
    return { name, fits, meets: sub => textsOf(sub, kinds).some(fits)
      || (name === 'text' && (fits(sub.site.lane) || (sub.site.source !== undefined && fits(sub.site.source)))) };
  }
  const fits = isPattern || matching(value);
  const fitsAny = texts => texts.some(text => text !== null && text !== undefined && fits(String(text)));
  const header = sub => data.logs[sub.log].header || {};
  const meets = {
    lane: sub => fits(sub.site.lane),
    source: sub => fitsAny([sub.site.source, (sub.site.source || '').replace(/:\d+$/, '')]),
    scope: sub => sub.scope && fitsAny([sub.scope, ...data.scopes.filter(scope => scope.log === sub.log && scope.number === sub.scope).map(scope => scope.name)]),
    process: sub => fitsAny([logName(sub.log), header(sub).process, header(sub).pid]),
    rule: sub => [...sub.findings, ...sub.causes].some(finding => fits(finding.rule)),
    has: sub => sub.findings.length + sub.causes.length > 0,
    state: sub => sub.state === value,
    id: sub => sub.id === Number(value.replace('#', '')),
    alive: sub => {
      const time = value.endsWith('%') ? data.duration * parseFloat(value) / 100
        : queryTime(value) ?? data.marks.find(mark => mark.name === value)?.time;
      return sub.start <= time && (sub.end === null || sub.end > time);
    },
  }[name];
  const isWrong = (name === 'state' && !stateNames.includes(value)) || (name === 'id' && !/^#?\d+$/.test(value))
    || (name === 'has' && value !== 'finding');
  if (isWrong) throw new Error(`'${value}' after ${name}: means nothing`);
  return { name, meets };
}

// Returns the tree of a query, or throws an error with a sentence.
function parseQuery(text) {
  let rest = text.trimStart();
  let groups = 0;
  const fail = sentence => { throw new Error(`${sentence} at character ${text.length - rest.length + 1}.`); };
  const take = pattern => {
    const found = rest.match(pattern);
    if (found) rest = rest.slice(found[0].length);
    return found;
  };
  const keyword = word => new RegExp('^' + word + '(?=[\\s()]|$)\\s*', 'i');
  const isAtEnd = () => !rest || (groups > 0 && rest[0] === ')');
  const pattern = () => {
    const found = rest.match(/^\/((?:[^/\\]|\\.)+)\/(i?)(?=[\s)]|$)/);
    if (!found) return rest[0] === '/' && !rest.slice(1).includes('/') ? fail('Unfinished regular expression') : null;
    rest = rest.slice(found[0].length);
    const regex = new RegExp(found[1], found[2]);
    return other => regex.test(other);
  };
  const word = () => {
    let found = '';
    let isQuoted = false;
    let open = 0;
    while (rest && (isQuoted || !/\s/.test(rest[0]))) {
      const letter = rest[0];
      if (letter === '"') isQuoted = !isQuoted;
      else if (!isQuoted && letter === ')' && open === 0) {
        if (!groups) fail("')' without '('");
        break;
      } else {
        if (!isQuoted) open += (letter === '(') - (letter === ')');
        found += letter;
      }
      rest = rest.slice(1);
    }
    return found;
  };
  const term = () => {
    const found = pattern();
    if (found) return queryTerm('text', '', found);
    if (rest[0] === '"') return queryTerm('text', word());
    const name = take(/^([\p{L}_-]+):/u);
    if (name) {
      if (!queryNames.includes(name[1])) fail(`The page doesn't know '${name[0]}'`);
      const takesPattern = !['state', 'id', 'has', 'alive'].includes(name[1]);
      const regex = takesPattern && pattern();
      const value = regex ? '' : word();
      if (!regex && !value) fail(`No value after '${name[0]}'`);
      return queryTerm(name[1], value, regex);
    }
    const amount = take(/^(life|dur|elements|start)(<=|>=|<|>|=)/);
    if (amount) {
      const value = word();
      const number = amount[1] === 'elements' ? (/^\d+$/.test(value) ? Number(value) : null) : queryTime(value);
      if (number === null) fail(`'${value}' is not a number or time`);
      return { name: amount[1], meets: sub => relations[amount[2]](quantities[amount[1]](sub), number) };
    }
    const plain = word();
    return /^#\d+$/.test(plain) ? queryTerm('id', plain) : queryTerm('text', plain);
  };
  const negation = () => {
    if (take(keyword('not')) || take(/^[-!](?=[^\s)])/)) {
      if (isAtEnd()) fail('No term');
      const inner = negation();
      return { not: inner };
    }
    if (take(/^\(\s*/)) {
      groups++;
      if (isAtEnd()) fail('No term');
      const inner = either();
      if (!take(/^\)\s*/)) fail("'(' without ')'");
      groups--;
      return inner;
    }
    if (/^\)/.test(rest) || /^[-!](\s|\)|$)/.test(rest) || keyword('(?:and|or)').test(rest)) fail('No term');
    const found = term();
    take(/^\s+/);
    return found;
  };
  // Terms of one name next to each other are alternatives: lane:a lane:b.
  const joined = nodes => {
    const all = [];
    const places = {};
    for (const node of nodes) {
      if (!alternatives.includes(node.name === 'has' ? 'rule' : node.name)) { all.push(node); continue; }
      const name = node.name === 'has' ? 'rule' : node.name;
      if (places[name]) places[name].any.push(node); else all.push(places[name] = { any: [node] });
    }
    return all.length === 1 ? all[0] : { all };
  };
  const both = () => {
    const parts = [];
    let adjacent = [negation()];
    while (!isAtEnd() && !keyword('or').test(rest)) {
      const isNew = take(keyword('and'));
      if (isNew && isAtEnd()) fail('No term');
      if (isNew) { parts.push(joined(adjacent)); adjacent = []; }
      adjacent.push(negation());
    }
    return { all: [...parts, joined(adjacent)] };
  };
  function either() {
    const any = [both()];
    while (take(keyword('or'))) { if (isAtEnd()) fail('No term'); any.push(both()); }
    return { any };
  }
  return rest ? either() : { all: [] };
}

const holds = (node, leaf) => node.all ? node.all.every(part => holds(part, leaf))
  : node.any ? node.any.some(part => holds(part, leaf)) : node.not ? !holds(node.not, leaf) : leaf(node);
const termsOf = (node, isNegated) => node.not ? termsOf(node.not, !isNegated)
  : node.all || node.any ? (node.all || node.any).flatMap(part => termsOf(part, isNegated)) : [{ ...node, isNegated: !!isNegated }];
