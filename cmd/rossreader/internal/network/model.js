// The network and its intervals: what is known of links, and the worst of them.
const net = (function () {
  "use strict";
  const data = sheet.data, nodes = data.nodes, links = data.links, values = data.values;
  const count = { nodes: nodes.lp.length, links: links.from.length, values: values.length };
  const frames = []; // {from, to, values}, the values by value and link
  const out = nodes.lp.map(() => []), into = nodes.lp.map(() => []);
  for (let i = 0; i < count.links; i++) { out[links.from[i]].push(i); into[links.to[i]].push(i); }

  // take adds intervals: some that are there already are left out.
  async function take(chunk) {
    const packed = Uint8Array.from(atob(chunk.block), (c) => c.charCodeAt(0));
    const raw = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    const all = new Float32Array(raw), size = count.values * count.links;
    let added = 0;
    chunk.from.forEach((from, i) => {
      if (chunk.first + i !== frames.length) return;
      frames.push({ from: from, to: chunk.to[i], values: all.subarray(i * size, (i + 1) * size) });
      added++;
    });
    return added;
  }

  const at = (frame, value, link) => frames[frame].values[value * count.links + link];

  // shown says which links count: those of a class, or all; and those to attached nodes, or not.
  let chosen = { cls: -1, attached: true }, list = [], kept = new Map();
  function choose(cls, attached) {
    chosen = { cls: cls, attached: attached };
    list = [];
    for (let i = 0; i < count.links; i++) if (shown(i)) list.push(i);
    kept = new Map();
  }
  function shown(i) {
    return (chosen.cls < 0 || links.class[i] === chosen.cls) && (chosen.attached || (nodes.at[links.from[i]] < 0 && nodes.at[links.to[i]] < 0));
  }

  // of returns mean and greatest value of the shown links in an interval, and the link with the greatest; -1: none has one.
  function of(frame, value) {
    const key = frame * count.values + value;
    let found = kept.get(key);
    if (found) return found;
    found = { mean: NaN, most: NaN, link: -1 };
    const base = value * count.links, all = frames[frame].values;
    let sum = 0, number = 0;
    for (const i of list) {
      const x = all[base + i];
      if (x !== x) continue;
      sum += x;
      number++;
      if (found.link < 0 || x > found.most) { found.most = x; found.link = i; }
    }
    if (number) found.mean = sum / number;
    kept.set(key, found);
    return found;
  }
  // worst returns the interval and the link with the greatest value of all.
  function worst(value) {
    let best = { frame: -1, link: -1, most: NaN };
    for (let f = 0; f < frames.length; f++) {
      const here = of(f, value);
      if (here.link >= 0 && (best.link < 0 || here.most > best.most)) best = { frame: f, link: here.link, most: here.most };
    }
    return best;
  }
  // most returns the greatest value of some links in an interval, NaN without one, and whose it is.
  function most(frame, value, some) {
    let best = NaN, link = -1;
    const base = value * count.links, all = frames[frame].values;
    for (const i of some) if (all[base + i] > best || (link < 0 && all[base + i] === all[base + i])) { best = all[base + i]; link = i; }
    return { value: best, link: link };
  }
  // course returns the greatest value of some links in each interval. They are kept under a name until others are asked for.
  let courses = new Map(), ofWhom = "";
  function course(whom, value, some) {
    if (whom !== ofWhom) { courses = new Map(); ofWhom = whom; }
    const all = courses.get(value) || [];
    courses.set(value, all);
    for (let f = all.length; f < frames.length; f++) all.push(most(f, value, some).value);
    return all;
  }
  // top returns the shown links with the greatest values, the greatest first.
  function top(frame, value, number, among) {
    return (among || list).filter((i) => at(frame, value, i) === at(frame, value, i))
      .sort((a, b) => at(frame, value, b) - at(frame, value, a) || a - b).slice(0, number);
  }

  const name = (i) => nodes.name[links.from[i]] + " → " + nodes.name[links.to[i]];
  const unit = data.unit ? " " + data.unit : "";
  const when = (t) => String(Number(t.toPrecision(8)));
  function span(frame) { return when(frames[frame].from) + " to " + when(frames[frame].to) + unit; }
  // text is a value for people, exact the number of the file, with the digits that a 32-bit number has.
  function text(value, x) {
    if (x !== x) return "not known";
    if (values[value].share) return sheet.text(x * 100) + " %";
    return sheet.text(x) + (values[value].unit ? " " + values[value].unit : "");
  }
  const exact = (x) => (x !== x ? null : Number(x.toPrecision(7)));

  return { data, nodes, links, values, count, frames, out, into, take, at, choose, shown, list: () => list, of, worst, most, course, top, name, unit, when, span, text, exact };
})();
