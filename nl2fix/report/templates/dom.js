// Small helpers of pages that unpack their data.
const byId = (id) => document.getElementById(id);
const make = (tag, props = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
};

// Names may go on in the next line behind their signs, not in the middle of a word.
const breakable = (text) => text.split(/(?<=[.:#/])(?=\S)/).flatMap((part, at) => (at ? [make("wbr"), part] : [part]));

async function unpack(id) {
  const raw = Uint8Array.from(atob(byId(id).textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// On paper nothing can be opened.
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
