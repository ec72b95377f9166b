// JSON texts within a JSON text: numbers that a double cannot have stay as they were sent.

/** Where the value ends that begins at a place of a JSON text. */
function endOfValue(text, at) {
  const token = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|[^\s,:"[\]{}]+/gy;
  let depth = 0;
  for (let next = at; ;) {
    token.lastIndex = next;
    const [found] = token.exec(text);
    next = token.lastIndex;
    if (found === '{' || found === '[') depth += 1;
    else if (found === '}' || found === ']') depth -= 1;
    if (depth === 0) return next;
    next += /^[\s,:]*/.exec(text.slice(next, next + 64))[0].length;
  }
}

const afterBlanks = (text, at) => at + /^\s*/.exec(text.slice(at))[0].length;

/** The members of an object, whose text is JSON, each with the text of its value. */
export function rawMembers(text) {
  const members = {};
  let at = afterBlanks(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const end = endOfValue(text, at);
    const name = JSON.parse(text.slice(at, end));
    const begin = afterBlanks(text, text.indexOf(':', end) + 1);
    at = endOfValue(text, begin);
    Object.defineProperty(members, name, {
      value: text.slice(begin, at), enumerable: true, configurable: true, writable: true,
    });
    at = afterBlanks(text, at);
    if (text[at] === ',') at = afterBlanks(text, at + 1);
  }
  return members;
}
