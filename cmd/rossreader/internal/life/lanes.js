// Lanes: what the data of an LP are drawn as, one under the other. Where there are more values than columns of pixels, a
// column has all between the least and the greatest of them, so that no extreme is left out.
const lanes = (function () {
  "use strict";
  const words = sheet.data.words || [], gutter = 58, head = 15;
  const list = (x) => x || [];

  // numeric returns a value of the data as a number, NaN if it is none.
  function numeric(v) {
    if (typeof v === "number") return v;
    if (typeof v === "boolean") return v ? 1 : 0;
    if (v === "+Inf") return Infinity;
    if (v === "-Inf") return -Infinity;
    return v === null || v === "" ? NaN : Number(v);
  }
  // shown returns a value as tables have it.
  const shown = (v) => (v === null || v === undefined ? "unknown" : String(v));

  // after returns the place of the first number above x in a list that rises; upto that of the last one up to x, or -1.
  function after(at, x) {
    let low = 0, high = at.length;
    while (low < high) { const m = (low + high) >> 1; if (at[m] <= x) low = m + 1; else high = m; }
    return low;
  }
  const upto = (at, x) => after(at, x) - 1;
  function from(at, x) { // the first number that is x or above
    let low = 0, high = at.length;
    while (low < high) { const m = (low + high) >> 1; if (at[m] < x) low = m + 1; else high = m; }
    return low;
  }

  // textOf returns the text about an event, or the line about one that was sent.
  const textOf = (life, events, i) => (events.line && events.line.length ? life.in.text[events.by[i]].split("\n")[events.line[i]].slice(12) : events.text[i]);

  // withGaps puts the unknown into steps, where the LP was not watched.
  function withGaps(life, at, raw) {
    const all = at.map((t, i) => [t, raw[i]]);
    for (const g of life.gaps) {
      const i = all.findIndex((s) => s[0] > g.From), k = i < 0 ? all.length : i;
      all.splice(k, 0, [g.From, null], [g.To, all[k - 1][1]]);
    }
    return { at: all.map((s) => s[0]), raw: all.map((s) => s[1]), num: all.map((s) => numeric(s[1])) };
  }

  // frame is where a lane is drawn: the stretch of virtual time, and the columns of pixels.
  function frame(first, last, width) {
    const w = Math.max(width - gutter - 6, 10);
    return { from: first, to: last, left: gutter, right: gutter + w, width: w, x: (t) => gutter + (t - first) / (last - first) * w,
      t: (x) => first + (x - gutter) / w * (last - first) };
  }

  // unknown draws a stretch about which nothing is known.
  function unknown(pen, f, y, height, a, b) {
    const left = Math.max(f.x(Math.max(a, f.from)), f.left), right = Math.min(f.x(Math.min(b, f.to)), f.right), pieces = [];
    if (right - left < 0.5) return;
    pen.rect(left, y, right - left, height, sheet.colour("line"), 0.45);
    for (let x = Math.ceil(left / 6) * 6; x < right; x += 6) pieces.push([x, y + height, Math.min(x + 4, right), y]);
    pen.lines(pieces, sheet.colour("soft"), 0.6);
  }

  // extent returns the least and the greatest number of steps in a stretch, and how many are in it.
  function extent(lane, a, b) {
    let least = Infinity, most = -Infinity;
    const begin = Math.max(lane.joined === false ? from(lane.at, a) : upto(lane.at, a), 0);
    for (let i = begin; i < lane.at.length && lane.at[i] <= b; i++) {
      const v = lane.num[i];
      if (v < least && v > -Infinity) least = v;
      if (v > most && v < Infinity) most = v;
    }
    return { least, most };
  }

  // columns goes through steps in a stretch, column by column of pixels: visit gets the column, the first, least, greatest
  // and last value in it, and whether the last one is unknown. Values that are not numbers are NaN, and end a line.
  function columns(lane, f, until, visit) {
    let i = Math.max(upto(lane.at, f.from), 0);
    while (i < lane.at.length && lane.at[i] <= Math.min(f.to, until)) {
      const x = f.x(Math.max(lane.at[i], f.from)), column = Math.floor(x);
      let first = lane.num[i], least = first, most = first, last = first, n = 1;
      for (i++; i < lane.at.length && lane.at[i] <= until && Math.floor(f.x(lane.at[i])) === column; i++, n++) {
        last = lane.num[i];
        if (Number.isNaN(last)) continue;
        if (!(least <= last)) least = last;
        if (!(most >= last)) most = last;
      }
      visit(n === 1 ? x : column + 0.5, first, least, most, last, lane.raw[i - 1] === null);
    }
  }

  // steps is the lane of a value that holds until the next one.
  function steps(lane) {
    lane.height = head + 46;
    lane.range = (f) => {
      let { least, most } = extent(lane, f.from, f.to);
      if (least > most) [least, most] = [0, 1];
      if (lane.zero) { least = Math.min(least, 0); most = Math.max(most, 0); }
      return least === most ? { least: least - (lane.zero && least === 0 ? 0 : 1), most: most + 1, flat: true, value: least } : { least, most };
    };
    lane.draw = (pen, f, life) => {
      const range = lane.range(f), top = head + 4, bottom = lane.height - 5;
      const y = (v) => bottom - (Math.max(Math.min(v, range.most), range.least) - range.least) / (range.most - range.least) * (bottom - top);
      const ink = lane.colour(), end = Math.min(f.x(Math.min(lane.until, f.to)), f.right), pieces = [], areas = [];
      let piece = null, lastY = 0, dark = null, base = y(0);
      const close = (x) => { if (piece) { piece.push(x, lastY); pieces.push(piece); if (lane.filled) areas.push(piece); piece = null; } };
      const lost = [];
      columns(lane, f, lane.until, (x, first, least, most, last, lostNow) => {
        if (dark !== null) { lost.push(dark, x); dark = null; }
        if (piece) piece.push(x, lastY);
        if (Number.isNaN(first) && piece && !Number.isFinite(least)) { pieces.push(piece); if (lane.filled) areas.push(piece); piece = null; }
        if (Number.isFinite(least) || Math.abs(least) === Infinity) {
          if (!piece) piece = [x, y(Number.isNaN(first) ? least : first)];
          if (!Number.isNaN(first)) piece.push(x, y(first));
          if (least !== most) piece.push(x, y(least), x, y(most));
          if (!Number.isNaN(last)) { lastY = y(last); piece.push(x, lastY); }
        }
        if (Number.isNaN(last)) {
          if (piece) { pieces.push(piece); if (lane.filled) areas.push(piece); piece = null; }
          dark = lostNow ? x : null; // what is absent, or no number, is known
        }
      });
      close(end);
      if (dark !== null) lost.push(dark, end);
      for (let i = 0; i < lost.length; i += 2) unknown(pen, f, top, bottom - top, f.t(lost[i]), f.t(lost[i + 1]));
      if (lane.filled) for (const p of areas) pen.area([p[0], base, ...p, p[p.length - 2], base], ink, 0.22);
      pen.lines(pieces, ink, 1.4);
      const label = lane.format || sheet.text;
      if (range.flat) pen.text(gutter - 5, y(range.value) + 4, label(range.value), sheet.colour("soft"), 10.5, "right");
      else {
        pen.text(gutter - 5, top + 6, label(range.most), sheet.colour("soft"), 10.5, "right");
        pen.text(gutter - 5, bottom + 2, label(range.least), sheet.colour("soft"), 10.5, "right");
      }
      lane.painted = pieces.length;
    };
    lane.value = (t) => { const i = upto(lane.at, Math.min(t, lane.until)); return i < 0 || t > lane.until ? null : lane.raw[i]; };
    return lane;
  }

  // dots is the lane of values that do not hold: of a statistic, or samples.
  function dots(lane) {
    steps(lane);
    lane.joined = false;
    lane.draw = (pen, f) => {
      const range = lane.range(f), top = head + 4, bottom = lane.height - 5, ink = lane.colour();
      const y = (v) => bottom - (Math.max(Math.min(v, range.most), range.least) - range.least) / (range.most - range.least) * (bottom - top);
      const a = from(lane.at, f.from), b = after(lane.at, f.to), points = [], bars = [], thin = [];
      if (b - a <= 2 * f.width) {
        for (let i = a; i < b; i++) if (!Number.isNaN(lane.num[i])) points.push(f.x(lane.at[i]), y(lane.num[i]));
        if (lane.thin && points.length) thin.push(points);
      } else {
        for (let i = a; i < b;) {
          const column = Math.floor(f.x(lane.at[i]));
          let least = Infinity, most = -Infinity;
          for (; i < b && Math.floor(f.x(lane.at[i])) === column; i++) { least = Math.min(least, lane.num[i]); most = Math.max(most, lane.num[i]); }
          if (least <= most) bars.push([column + 0.5, y(least) + 0.7, column + 0.5, y(most) - 0.7]);
        }
      }
      if (thin.length) pen.lines(thin, sheet.colour("soft"), 0.6, [2, 3]);
      pen.lines(bars, ink, 1);
      pen.dots(points, b - a > f.width / 2 ? 1.3 : 2.2, ink);
      pen.text(gutter - 5, top + 6, sheet.text(range.flat ? range.value : range.most), sheet.colour("soft"), 10.5, "right");
      if (!range.flat) pen.text(gutter - 5, bottom + 2, sheet.text(range.least), sheet.colour("soft"), 10.5, "right");
      lane.painted = points.length / 2 + bars.length;
    };
    lane.value = (t) => { const i = upto(lane.at, t); return i < 0 ? undefined : lane.raw[i]; };
    return lane;
  }

  // bands is the lane of texts, one after the other.
  function bands(lane) {
    lane.height = head + 22;
    lane.kinds = [...new Set(lane.raw.filter((v) => v !== null))];
    const place = new Map(lane.kinds.map((v, i) => [v, i]));
    lane.draw = (pen, f) => {
      const top = head + 3, height = 15, busy = [];
      let i = Math.max(upto(lane.at, f.from), 0), full = -1;
      lane.painted = 0;
      for (; i < lane.at.length && lane.at[i] <= Math.min(f.to, lane.until); i++) {
        const next = i + 1 < lane.at.length ? lane.at[i + 1] : lane.until;
        const left = f.x(Math.max(lane.at[i], f.from)), right = Math.min(f.x(Math.min(next, f.to, lane.until)), f.right);
        if (lane.raw[i] === null) { unknown(pen, f, top, height, lane.at[i], next); continue; }
        if (right - left < 1.5) { // too short for its colour
          if (Math.floor(left) !== full) busy.push([left, top, left, top + height]);
          full = Math.floor(left);
          continue;
        }
        pen.rect(left, top, right - left - 0.7, height, sheet.colour("c" + place.get(lane.raw[i]) % 8), 0.3);
        pen.text(left + 3, top + 11, lane.raw[i], sheet.colour("ink"), 10.5, "left", right - left - 6);
        lane.painted++;
      }
      pen.lines(busy, sheet.colour("ink"), 1);
      lane.painted += busy.length;
    };
    lane.value = (t) => { const k = upto(lane.at, t); return k < 0 || t > lane.until ? null : lane.raw[k]; };
    return lane;
  }

  // marks is the lane of events of one type.
  function marks(lane) {
    lane.height = head + 15;
    lane.draw = (pen, f) => {
      const top = head, bottom = head + 11, pieces = [];
      let full = -1;
      for (let i = from(lane.at, f.from); i < lane.at.length && lane.at[i] <= f.to; i++) {
        const x = f.x(lane.at[i]), column = Math.floor(x);
        if (column !== full) pieces.push([x, top, x, bottom]);
        full = column;
      }
      pen.lines(pieces, lane.colour(), 1.3);
      lane.painted = pieces.length;
    };
    lane.near = (t, reach) => { const i = nearest(lane.at, t, reach); return i === undefined ? undefined : lane.index[i]; };
    return lane;
  }
  function nearest(at, t, reach) {
    const i = from(at, t);
    const best = [i - 1, i].filter((k) => at[k] !== undefined).sort((a, b) => Math.abs(at[a] - t) - Math.abs(at[b] - t))[0];
    return best !== undefined && Math.abs(at[best] - t) <= reach ? best : undefined;
  }

  // bars is the lane of timers: from when they were set to when they ended.
  function bars(lane) {
    const rows = Math.min(new Set(lane.slots).size, 8) || 1;
    lane.height = head + 4 + rows * 8;
    lane.draw = (pen, f) => {
      lane.painted = 0;
      const full = new Array(rows).fill(-1);
      for (let i = 0; i < lane.begin.length; i++) {
        const a = lane.begin[i], b = lane.end[i];
        if (b < f.from || a > f.to) continue;
        const left = f.x(Math.max(a, f.from)), right = Math.min(f.x(Math.min(b, f.to)), f.right), row = lane.slots[i] % rows;
        if (right - left < 1 && Math.floor(left) === full[row]) continue;
        full[row] = Math.floor(left);
        pen.rect(left, head + 2 + row * 8, Math.max(right - left, 1), 6, sheet.colour(lane.how[i] === "cancelled" ? "c3" : "c4"), lane.how[i] ? 0.85 : 0.45);
        lane.painted++;
      }
    };
    return lane;
  }

  // ofLP makes the lanes of an LP.
  function ofLP(life) {
    const all = [], until = life.to;
    const add = (lane) => { lane.colour = lane.colour || (() => sheet.colour(lane.ink || "c0")); all.push(lane); return lane; };
    const byType = (events, key, title, ink) => {
      const at = list(events.at), types = new Map();
      at.forEach((t, i) => {
        const what = events.what[i];
        if (!types.has(what)) types.set(what, { at: [], index: [] });
        types.get(what).at.push(t);
        types.get(what).index.push(i);
      });
      for (const [what, found] of types) {
        add(marks(Object.assign(found, { key: key + ":" + words[what], name: words[what] || "event", title: title + words[what] + " (" + found.at.length.toLocaleString("en") + ")", group: title.replace(/: $/, ""), kind: "events", from: key, events: events, ink: ink })));
      }
    };
    byType(life.in, "in", "Received: ", "c0");
    byType(life.out, "out", "Sent: ", "c1");
    byType(life.traceIn, "tracein", "Received, of the trace: ", "c5");
    byType(life.traceOut, "traceout", "Sent, of the trace: ", "c3");
    const t = life.timers, names = list(t.name);
    if (names.length) {
      add(bars({ key: "timers", name: "timers", title: "Timers, from when they are set to their end (" + names.length + ")", group: "Timers", kind: "timers",
        begin: names.map((x, i) => (t.set[i] === null ? life.from : t.set[i])), slots: names.map((x) => parseInt(x, 10) - 1),
        end: names.map((x, i) => (t.end[i] !== null ? t.end[i] : Math.min(numeric(t.due[i]), until))), how: t.how }));
    }
    const workers = list(life.processes);
    if (workers.length) {
      const changes = [];
      let now = 0;
      for (const w of workers) {
        if (w.from === null) now++; else changes.push([w.from, 1]);
        if (w.to !== null) changes.push([w.to, -1]);
      }
      changes.sort((a, b) => a[0] - b[0]);
      const at = [life.from], raw = [now];
      for (const [when, by] of changes) { now += by; at.push(when); raw.push(now); }
      add(steps({ key: "processes", name: "processes", title: "Processes that the text names", group: "Processes", kind: "count", ...withGaps(life, at, raw), until: until, filled: true, zero: true, ink: "c6" }));
    }
    for (const f of list(life.fields)) {
      const lane = { key: "f:" + f.path, name: f.path, title: f.path, group: f.group, kind: f.kind, at: list(f.at), raw: list(f.value), until: until, field: f,
        ink: f.kind === "count" || f.kind === "resource" ? "c2" : "c0", filled: f.kind === "count" || f.kind === "resource", zero: f.kind === "count" || f.kind === "resource" };
      lane.num = lane.raw.map(numeric);
      lane.constant = new Set(lane.raw).size < 2;
      if (f.kind === "bool") { lane.format = (v) => (v === 1 ? "true" : v === 0 ? "false" : ""); lane.zero = true; }
      if (f.kind === "count") lane.title += ": number of values";
      add(f.kind === "text" ? bands(lane) : steps(lane));
      if (f.when) { // what came and left is shown where the pointer is
        lane.near = (t, reach) => nearest(f.when, t, reach);
        lane.tell = (k) => {
          const same = f.when.map((t, i) => i).slice(from(f.when, f.when[k]), after(f.when, f.when[k]));
          return f.path + " at " + f.when[k] + "\n" + same.map((i) => ["removed  ", "added    ", "changed  "][f.what[i]] + (f.what[i] === 2 ? f.item[i] : (f.key[i] && f.item[i] ? f.key[i] + ": " : f.key[i]) + f.item[i])).join("\n") + (f.cut ? "\nSome changes of this list are not in the text." : "");
        };
      }
      if (f.kind === "bool") lane.range = () => ({ least: 0, most: 1 });
    }
    for (const s of list(life.stats)) {
      const lane = { key: "s:" + s.path, name: s.path, title: s.path, group: "Statistics", kind: "statistic", of: s, at: s.at, raw: s.value, until: until, ink: "c4" };
      if (s.kind === "count") {
        let sum = 0;
        Object.assign(lane, withGaps(life, [life.from, ...s.at], [0, ...s.value.map((v) => (sum += numeric(v)))]));
        lane.title += ": counted in the text";
      }
      if (s.kind === "change") lane.title += ": change since the beginning of the text";
      lane.num = lane.raw.map(numeric);
      if (s.kind === "level") { lane.filled = lane.zero = true; }
      add(s.kind === "value" ? dots(lane) : steps(lane));
    }
    for (const f of list(life.samples)) {
      const lane = { key: "m:" + f.path, name: f.path, title: f.path + ", sampled", group: "Samples", kind: "sample", at: f.at, raw: f.value, num: f.value.map(numeric), until: until, ink: "c7", thin: true };
      lane.constant = new Set(lane.raw).size < 2;
      add(dots(lane));
    }
    return all;
  }

  // usual returns the keys of the lanes that are shown at first.
  function usual(all) {
    const text = all.some((l) => l.from === "in"); // then it has what the trace has
    const keys = all.filter((l) => l.kind === "events" && !(text && l.from.startsWith("trace")) || l.kind === "timers" || l.key === "processes").slice(0, 12).map((l) => l.key);
    const rank = (l) => (l.kind === "resource" ? 0 : l.kind === "count" ? 1 : l.kind === "text" ? 3 : 2);
    const rest = all.filter((l) => !keys.includes(l.key) && !l.constant && l.at && (l.field || l.kind === "sample"));
    rest.sort((a, b) => rank(a) - rank(b) || b.at.length - a.at.length);
    const chosen = new Set(rest.slice(0, 9).map((l) => l.key));
    for (const l of all.filter((l) => l.kind === "statistic").slice(0, 3)) chosen.add(l.key);
    return all.filter((l) => keys.includes(l.key) || chosen.has(l.key)).map((l) => l.key);
  }

  // picture draws lanes, and returns where each of them is. first, last is the stretch.
  function picture(pen, life, chosen, f) {
    const places = [], height = heightOf(chosen) - 20;
    let y = 2;
    for (const g of life.gaps) unknown(pen, f, 0, height, g.From, g.To);
    if (life.text) {
      if (life.to < f.to) unknown(pen, f, 0, height, Math.max(life.to, f.from), f.to);
      if (life.from > f.from) unknown(pen, f, 0, height, f.from, Math.min(life.from, f.to));
    }
    for (const lane of chosen) {
      const own = paper.shifted(pen, y);
      own.lines([[f.left, lane.height - 2.5, f.right, lane.height - 2.5]], sheet.colour("line"), 0.7);
      if (lane.at || lane.begin) lane.draw(own, f, life);
      own.text(f.left + 1, 11, lane.title, sheet.colour("ink"), 11.5, "left", f.width - 4);
      places.push({ lane, top: y, bottom: y + lane.height });
      y += lane.height;
    }
    const t = paper.ticks(f.from, f.to, f.width / 95), lines = [];
    for (const at of t.at) {
      lines.push([f.x(at), 0, f.x(at), y + 3]);
      const label = sheet.exact(at, t.step), half = label.length * 3;
      pen.text(Math.min(f.x(at), f.right + 4 - half), y + 15, label, sheet.colour("soft"), 10.5, "center");
    }
    pen.lines(lines, sheet.colour("line"), 0.5);
    return places;
  }
  const heightOf = (chosen) => 2 + chosen.reduce((sum, l) => sum + l.height, 0) + 22;

  return { ofLP, usual, picture, heightOf, frame, numeric, shown, after, upto, first: from, words, textOf };
})();
