// JSON texts within a JSON text: numbers that a double cannot have stay as they were sent.

/** Where the value ends that begins at a place of a JSON text. */
function endOfValue(text, at) {
  const token = /[\s,:]*(?:"(?:[^"\\]|\\.)*"|([[{])|([\]}])|[^\s,:"[\]{}]+)/y;
  token.lastIndex = at;
  let depth = 0;
  do {
    const found = token.exec(text);
    if (!found) throw new SyntaxError('a value has no end');
    const [, opening, closing] = found;
    if (opening) depth += 1;
    else if (closing) depth -= 1;
  } while (depth > 0);
  return token.lastIndex;
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
