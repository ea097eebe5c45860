// Code in colours: comments, texts, numbers, annotations and KEYWORDS. Nothing is marked up before it is looked at.
const Paint = (() => {
  const C = String.raw`(?<comment>\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))`, WORD = String.raw`(?<number>\b\d[\w.]*)|(?<mark>@[A-Za-z_]\w*)|(?<word>[A-Za-z_$][\w$]*)`;
  const LONG = String.raw`"""(?:\\[^]|[^\\])*?(?:"""|$)`, DOUBLE = String.raw`"(?:\\.|[^"\\\n])*"?`, SINGLE = String.raw`'(?:\\.|[^'\\\n])*'?`;
  const LETTER = String.raw`'(?:\\[^'\n]*(?:'(?='))?|[^'\\\n])'`, RAW = "`[^`]*`?";
  const kinds = (comment, ...texts) => `${comment}|(?<text>${texts.join("|")})|${WORD}`;
  const RULES = {
    python: kinds("(?<comment>#[^\n]*)", LONG, LONG.replaceAll('"', "'"), DOUBLE, SINGLE),
    javascript: kinds(C, DOUBLE, SINGLE, RAW), go: kinds(C, DOUBLE, LETTER, RAW),
    java: kinds(C, LONG, DOUBLE, LETTER), cpp: kinds(C, DOUBLE, LETTER), rust: kinds(C, DOUBLE, LETTER),
  };
  // For each line the places of what has a colour: [from, to, kind].
  function lines(text, language) {
    const rule = RULES[language], words = new Set(KEYWORDS[language] ?? []), out = text.split("\n").map(() => []);
    if (!rule) return out;
    let line = 0, begin = 0;
    for (const match of text.matchAll(new RegExp(rule, "g"))) {
      const kind = Object.entries(match.groups).find(([, found]) => found !== undefined)[0];
      if (kind === "word" && !words.has(match[0])) continue;
      for (let next; (next = text.indexOf("\n", begin)) >= 0 && next < match.index; begin = next + 1) line++;
      let from = match.index - begin;
      for (const part of match[0].split("\n")) {
        out[line].push([from, from + part.length, kind === "word" ? "keyword" : kind]);
        if (from + part.length + begin === match.index + match[0].length) break;
        begin += from + part.length + 1; line++; from = 0;
      }
    }
    return out;
  }
  // What would reorder a line or is not seen, written out: as in a terminal, code is not to look like other code.
  const STEERING = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
  const escaped = (code) => code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  const visible = (text) => text.replace(STEERING, (sign) => escaped(sign.charCodeAt(0)));
  // Puts one line into a node; where marked(word's number) is true it is marked, too.
  function fill(node, line, places, marked) {
    let at = 0, place = 0, last = null;
    (line.match(/\w+|\s+|[^\w\s]/g) ?? []).forEach((word, i) => {
      while (place < places.length && places[place][1] <= at) place++;
      const kind = place < places.length && places[place][0] <= at ? places[place][2] : "", mark = marked(i);
      if (!last || last.kind !== kind || last.mark !== mark) {
        const holder = kind || mark ? document.createElement(mark ? "mark" : "span") : document.createTextNode("");
        if (kind) holder.className = `c-${kind}`;
        node.append(holder);
        last = { holder, kind, mark };
      }
      last.holder.textContent += visible(word);
      at += word.length;
    });
  }
  function into(node, text, language) {
    const places = lines(text, language);
    node.replaceChildren();
    text.split("\n").forEach((line, i) => { if (i) node.append("\n"); fill(node, line, places[i], () => false); });
    return node;
  }
  return { lines, fill, into };
})();
