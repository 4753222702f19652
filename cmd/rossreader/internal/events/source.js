// What a page can ask about the trace: a source with view, story and search. One has the events in the page, the other asks
// the server. Events are lists: id, received, sent, lane, lane of the sender, kind, times undone, stayed, fields.
const ID = 0, RECV = 1, SEND = 2, LANE = 3, SRC = 4, KIND = 5, UNDONE = 6, STAYED = 7, FIELDS = 8;

// A stretch of time goes from base + a to base + b. place returns where a time is in it, from 0 to 1.
const place = (s, t) => (t - s.base - s.a) / (s.b - s.a);

function servedSource(about) {
  const ask = async (path, values) => {
    const answer = await fetch(path + "?" + new URLSearchParams(values));
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  return {
    rows: about.lanes,
    laneOf: (row) => row,
    rowOf: (lane) => lane,
    view: (lanes, s, columns, most, fields) =>
      ask("view", { lanes: lanes.join(), base: s.base, a: s.a, b: s.b, columns: columns, most: most, fields: fields ? 1 : 0 }),
    story: (id) => ask("event", { id: id }),
    search: (text) => ask("search", { q: text }),
    has: null,
  };
}

// excerptSource has the events of excerpt: { events, causes, fits, effects, reals, lanes: [[lane, name, events, type]] }.
function excerptSource(excerpt) {
  const lanes = new Map(), byID = new Map(), order = [], effects = new Map();
  excerpt.lanes.forEach(([lane, name, n, type], row) => {
    lanes.set(lane, { lane: lane, name: name, n: n, type: type, row: row, events: [] });
    order.push(lane);
  });
  excerpt.events.forEach((e, i) => {
    byID.set(e[ID], i);
    lanes.get(e[LANE]).events.push(i);
  });
  excerpt.events.forEach((e, i) => {
    const cause = excerpt.causes[i];
    if (!effects.has(cause)) effects.set(cause, []);
    effects.get(cause).push(i);
  });
  const event = (i) => excerpt.events[i];
  // first returns the first place in a list of events from which ok holds.
  function first(list, ok) {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ok(event(list[middle]))) high = middle; else low = middle + 1;
    }
    return low;
  }
  function seen(lane, s, columns, most, fields) {
    const l = lanes.get(lane);
    const from = first(l.events, (e) => place(s, e[RECV]) >= 0), to = first(l.events, (e) => place(s, e[RECV]) > 1);
    const result = { lane: lane, name: l.name, n: to - from };
    const inside = l.events.slice(from, to).map(event);
    if (inside.length > most) {
      result.counts = new Array(columns).fill(0);
      for (const e of inside) result.counts[Math.min(Math.max(Math.floor(place(s, e[RECV]) * columns), 0), columns - 1)]++;
    } else result.marks = inside;
    return result;
  }
  function story(id) {
    const i = byID.get(id);
    if (i === undefined) throw new Error("event " + id + " is not in this page; it says above which command makes one with it");
    const e = event(i), l = lanes.get(e[LANE]), at = l.events.indexOf(i);
    const path = [e], on = new Set([id]);
    let longer = false;
    for (let k = i; excerpt.causes[k] >= 0;) {
      const next = byID.get(excerpt.causes[k]);
      if (next === undefined || on.has(excerpt.causes[k]) || path.length === 10000) { longer = true; break; }
      on.add(excerpt.causes[k]);
      path.push(event(next));
      k = next;
    }
    const own = (effects.get(id) || []).map(event);
    const names = new Map();
    for (const of of [...path, ...own]) for (const lane of [of[LANE], of[SRC]]) names.set(lane, lanes.get(lane).name);
    return {
      event: e, type: l.type, fields: (e[FIELDS] || []).map((f) => [f.slice(0, f.indexOf("=")), f.slice(f.indexOf("=") + 1)]),
      real: excerpt.reals[i], fit: excerpt.fits[i], effects: own.slice(0, 500), path: path, longer: longer,
      more: Math.max(own.length - 500, 0), elsewhere: excerpt.effects[i] < 0 ? 0 : excerpt.effects[i] - own.length,
      names: [...names], before: at > 0 ? event(l.events[at - 1])[ID] : -1,
      after: at + 1 < l.events.length ? event(l.events[at + 1])[ID] : -1,
    };
  }
  return {
    rows: order.length,
    laneOf: (row) => order[row],
    rowOf: (lane) => lanes.get(lane).row,
    view: async (list, s, columns, most, fields) => list.map((lane) => seen(lane, s, columns, most, fields)),
    story: async (id) => story(id),
    search: async (text) => {
      const wanted = text.toLowerCase(), all = order.map((lane) => lanes.get(lane));
      const exact = all.filter((l) => l.name.split(" ")[0] === text);
      return [...exact, ...all.filter((l) => l.name.toLowerCase().includes(wanted) && !exact.includes(l))].slice(0, 20)
        .map((l) => ({ lane: l.lane, name: l.name, n: l.n }));
    },
    has: excerpt.from === null ? null : [excerpt.from, excerpt.to],
  };
}
