// What the reader chooses: a stretch of real time, a PE, KP or LP, and the axis of GVT. These functions turn a chart of the
// page into that of the choice, and compute the tables of it. page.js has the controls.
const timeline = (function () {
  "use strict";
  const data = JSON.parse(document.getElementById("stretches").textContent);
  const homes = new Map((data.names || []).map(([id, label, pe, kp]) => [id, { label: label, pe: pe, kp: kp }]));
  const perSecond = { s: 1, ms: 1e3, "µs": 1e6 };

  // idsOf returns the PEs, KPs or LPs that a row or line is named after, each from and to; null if it is named otherwise.
  function idsOf(name) {
    let m = /^PE (\d+)(?:–(\d+))?(?: KP (\d+)(?:–(\d+))?)?$/.exec(name);
    const range = (a, b) => [Number(a), Number(b === undefined ? a : b)];
    if (m) return { pe: range(m[1], m[2]), kp: m[3] === undefined ? null : range(m[3], m[4]) };
    m = /^LP (\d+)(?:–(\d+))?(?= |$)/.exec(name);
    return m ? { lp: range(m[1], m[2]) } : null;
  }

  // choice returns the PE, KP or LP that a name means; null if it means several or none.
  function choice(name) {
    const ids = idsOf(name.trim());
    if (!ids) return null;
    const one = (r) => (r[0] === r[1] ? r[0] : undefined);
    if (ids.lp) {
      const lp = one(ids.lp), home = homes.get(lp);
      if (lp === undefined) return null;
      return home && home.pe >= 0 ? { lp: lp, pe: home.pe, kp: home.kp } : { lp: lp };
    }
    if (one(ids.pe) === undefined || ids.kp && one(ids.kp) === undefined) return null;
    return ids.kp ? { pe: one(ids.pe), kp: one(ids.kp) } : { pe: one(ids.pe) };
  }
  function nameOf(of) {
    if (of.lp === undefined) return "PE " + of.pe + (of.kp === undefined ? "" : " KP " + of.kp);
    const home = homes.get(of.lp);
    return "LP " + of.lp + (home && home.label ? ' "' + home.label + '"' : "");
  }

  // concerns reports whether a row or line is about a choice; null if that is not known.
  function concerns(of, name) {
    const ids = idsOf(name), within = (x, r) => x >= r[0] && x <= r[1];
    if (!ids) return null;
    if (ids.lp) {
      if (of.lp !== undefined) return within(of.lp, ids.lp);
      let known = null;
      for (let id = ids.lp[0]; id <= ids.lp[1]; id++) {
        const home = homes.get(id);
        if (!home || home.pe < 0) continue;
        if (home.pe === of.pe && (of.kp === undefined || home.kp === of.kp)) return true;
        known = false;
      }
      return known;
    }
    if (of.pe === undefined) return null; // an LP whose place is not known
    return within(of.pe, ids.pe) && (of.kp === undefined || !ids.kp || within(of.kp, ids.kp));
  }

  // found returns names of what a text may mean, at most some.
  function found(text) {
    const words = text.toLowerCase().trim().split(/\s+/), all = [];
    const fits = (name) => { const low = " " + name.toLowerCase(); return words.every((w) => low.includes(/^\d+$/.test(w) ? " " + w : w)); };
    const names = function* () {
      for (const d of data.pes || []) yield d.name;
      for (const d of data.kps || []) yield d.name;
      for (const id of homes.keys()) yield nameOf({ lp: id });
    };
    for (const name of names()) {
      if (choice(name) && fits(name)) all.push(name);
      if (all.length === 30) break;
    }
    return all;
  }

  // own returns what is known of a choice over time, as exactly as it is known.
  function own(of) {
    const same = (list, wanted) => (list || []).find((d) => {
      const c = choice(d.name);
      return c && Object.keys(wanted).every((k) => c[k] === wanted[k]);
    });
    const lp = of.lp !== undefined && same(data.lps, { lp: of.lp });
    if (lp) return { did: lp, width: data.lpwidth };
    const kp = of.kp !== undefined && same(data.kps, { pe: of.pe, kp: of.kp });
    const pe = !kp && of.pe !== undefined && same(data.pes, { pe: of.pe });
    return kp || pe ? { did: kp || pe, width: data.width } : null;
  }
  const efficiency = (handled, undone) => (handled - undone > 0 ? 100 * (1 - undone / (handled - undone)) : 0);

  // ofChoice returns the lines of a choice, from what the page has of it in columns.
  function ofChoice(c, of) {
    let o = own(of);
    if (c.id === "queue" && of.pe !== undefined) o = own({ pe: of.pe });
    if (!o || !c.linked) return null;
    const width = o.width * perSecond[c.x.unit], d = o.did;
    const line = (name, values, more) => Object.assign({ name: name, values: values, from: width / 2, step: width, hue: of.pe || 0 }, more);
    if (c.id === "rate") {
      return [line(d.name, d.handled.map((n) => n / o.width)), line(d.name + ", net", d.handled.map((n, i) => (n - d.undone[i]) / o.width), { dashed: true })];
    }
    if (c.id === "efficiency") return [line(d.name, d.handled.map((n, i) => (n > 0 ? efficiency(n, d.undone[i]) : null)))];
    if (c.id === "queue" && d.queue) return [line(d.name, d.queue)];
    return null;
  }

  // filtered returns a chart of what a choice concerns. What is not of PEs, KPs or LPs remains as it is.
  function filtered(c, of) {
    if (!of) return c;
    if (c.kind === "lines") {
      if (c.ofbase || !c.series.some((s) => idsOf(s.name)) && !["rate", "efficiency", "queue"].includes(c.id)) return c;
      const others = c.series.filter((s) => s.bold).length; // which have no colour of the list
      const exact = c.series.map((s, i) => Object.assign({ at: i, before: others }, s)).filter((s) => concerns(of, s.name));
      const series = of.kp === undefined && exact.length ? exact : ofChoice(c, of) || exact;
      return series.length ? Object.assign({}, c, { series: series, band: false }) : c;
    }
    if (c.kind === "bars" && c.columns.some(idsOf)) {
      const keep = c.columns.map((name, i) => i).filter((i) => concerns(of, c.columns[i]) !== false);
      if (!keep.length) return c;
      return Object.assign({}, c, { columns: keep.map((i) => c.columns[i]), series: c.series.map((s) => Object.assign({}, s, { values: keep.map((i) => s.values[i]) })) });
    }
    if (c.kind === "marks") {
      const about = (m) => !m.pes || of.pe === undefined || (of.kp === undefined ? m.pes.includes(of.pe) || m.kps.some((k) => k[0] === of.pe) : m.kps.some((k) => k[0] === of.pe && k[1] === of.kp));
      return Object.assign({}, c, { marks: c.marks.filter(about) });
    }
    if (c.kind === "flow") {
      const about = c.rows.map((name) => concerns(of, name) !== false);
      const arrows = c.arrows.filter((a) => about[a[1]] || about[a[3]]);
      return Object.assign({}, c, { arrows: arrows });
    }
    if (!c.rows) return c;
    const about = c.rows.map((name) => concerns(of, name) !== false);
    if (c.columns && c.kind === "heat") return Object.assign({}, c, { cells: c.cells.filter((cell) => about[cell[0]] || about[cell[1]]), scale: c });
    const keep = c.rows.map((name, i) => i).filter((i) => about[i]);
    if (!keep.length || keep.length === c.rows.length) return c;
    const to = new Map(keep.map((row, i) => [row, i]));
    const rows = (list) => list && list.filter((v) => to.has(v[1])).map((v) => [v[0], to.get(v[1]), ...v.slice(2)]);
    return Object.assign({}, c, { rows: keep.map((i) => c.rows[i]), cells: rows(c.cells), parts: rows(c.parts), scale: c,
      bygvt: c.bygvt && { x: c.bygvt.x, cells: rows(c.bygvt.cells) } });
  }

  // along returns the value that belongs to x, between pairs that rise.
  function along(pairs, x, from, to) {
    if (!pairs || !pairs.length) return null;
    let low = 0, high = pairs.length - 1;
    if (x <= pairs[0][from]) return pairs[0][to];
    if (x >= pairs[high][from]) return pairs[high][to];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (pairs[middle][from] <= x) low = middle; else high = middle;
    }
    const a = pairs[low], b = pairs[high];
    return b[from] > a[from] ? a[to] + (b[to] - a[to]) * (x - a[from]) / (b[from] - a[from]) : b[to];
  }
  const gvtOf = (seconds, base) => along(base ? data.baseknots : data.knots, seconds, 0, 1);
  const secondsOf = (gvt) => along(data.knots, gvt, 1, 0);
  const hasGVT = !!(data.knots && data.baseknots);
  function gvtAxis() {
    const ends = (i) => [data.knots, data.baseknots].map((k) => k[i < 0 ? k.length - 1 : 0][1]);
    return { name: "GVT (virtual time)", min: Math.min(...ends(0)), max: Math.max(...ends(-1)) };
  }

  // byGVT returns a chart over real time as one over GVT: what is at a time is at the GVT of its run at that time.
  function byGVT(c) {
    if (!c.linked || !hasGVT) return c;
    const by = perSecond[c.x.unit], x = gvtAxis();
    const at = (place, base) => gvtOf(place / by, base || c.ofbase);
    if (c.bygvt) return Object.assign({}, c, { x: c.bygvt.x, cells: c.bygvt.cells });
    const other = Object.assign({}, c, { x: x });
    if (c.kind === "lines") {
      const swap = c.id.replace("base-", "") === "gvt";
      if (swap) Object.assign(other, { title: "Real time at each GVT", y: { name: c.x.name, unit: c.x.unit } });
      other.series = c.series.map((s) => {
        const place = s.step ? s : c.x;
        const points = s.values.map((v, i) => [(place.from || 0) + i * place.step, v]).map(([t, v]) => (swap ? [v, t] : [at(t, s.base), v]));
        return Object.assign({}, s, { points: points });
      });
      other.stalls = (c.stalls || []).map((s) => s.map((t) => at(t)));
    }
    if (c.cells || c.parts) {
      const n = 1 + (c.cells || c.parts).reduce((most, v) => Math.max(most, v[0]), 0);
      other.edges = Array.from({ length: n + 1 }, (v, i) => at((c.x.from || 0) + i * c.x.step));
      other.x = Object.assign(x, { step: c.x.step });
    }
    if (c.marks) other.marks = c.marks.map((m) => Object.assign({}, m, { from: at(m.from), to: at(m.to) }));
    return other;
  }

  // sum adds up what columns have in a stretch of seconds; a column has it evenly.
  function sum(values, width, stretch) {
    const a = stretch.from / width, b = Math.min(stretch.to / width, values.length);
    let all = 0;
    for (let i = Math.max(Math.floor(a), 0); i < b; i++) all += values[i] * (Math.min(i + 1, b) - Math.max(i, a));
    return all;
  }

  // rows returns the rows of a table, of what a choice concerns in a stretch; null stands for all of the run.
  function rows(list, width, stretch, of, most) {
    const all = (list || []).filter((d) => !of || concerns(of, d.name) !== false).map((d) => {
      if (!stretch) return { name: d.name, handled: d.sums[0], undone: d.sums[1], rollbacks: d.sums[2], busy: d.sums[3] < 0 ? null : d.sums[3] };
      const of = (values) => (values ? sum(values, width, stretch) : 0), busy = of(d.busy), rest = of(d.rest);
      return { name: d.name, handled: of(d.handled), undone: of(d.undone), rollbacks: of(d.rollbacks), busy: busy + rest > 0 ? 100 * busy / (busy + rest) : null };
    });
    if (most) all.sort((a, b) => b.undone - a.undone || b.handled - a.handled);
    return all.slice(0, most || all.length);
  }
  function tables(stretch, of) {
    const pes = rows(data.pes, data.width, stretch, of, 0), kps = rows(data.kps, data.width, stretch, of, 10);
    const lps = rows(data.lps, data.lpwidth, stretch, of, 10), whole = rows((data.pes || []).length ? data.pes : data.kps, data.width, stretch, null, 0);
    const all = { handled: 0, undone: 0 };
    for (const row of whole) { all.handled += row.handled; all.undone += row.undone; }
    return { pes: pes, kps: kps, lps: lps, all: all };
  }

  return { data, homes, perSecond, idsOf, choice, nameOf, concerns, found, filtered, byGVT, hasGVT, gvtOf, secondsOf, gvtAxis, tables, efficiency };
})();
