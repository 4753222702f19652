// The page: what the reader has chosen, the picture, the tables, and the files.
(function () {
  "use strict";
  const id = (x) => document.getElementById(x), served = Boolean(sheet.data.runs.link), few = 200, mostLines = 40;
  let data = sheet.data, view = null, over = -1;

  // plain shows characters that would hide or turn others.
  const plain = (text) => String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => "\\u{" + c.codePointAt(0).toString(16) + "}");
  const worded = (text) => (text === "" ? "(empty)" : plain(text));
  const middle = (all) => { const n = all.length >> 1; return all.length % 2 ? all[n] : all[n - 1] / 2 + all[n] / 2; };
  const isNumber = (text) => text.trim() !== "" && isFinite(Number(text));
  function natural(a, b) {
    const p = isNumber(a), q = isNumber(b);
    return p && q ? Number(a) - Number(b) : p !== q ? (p ? -1 : 1) : a.localeCompare(b, "en", { numeric: true }) || (a < b ? -1 : 1);
  }
  function shown(x) {
    if (Number.isInteger(x) && Math.abs(x) < 1e15) return x.toLocaleString("en");
    const short = Number(x.toPrecision(6));
    return Math.abs(short) >= 1e4 && Math.abs(short) < 1e15 ? short.toLocaleString("en") : String(short);
  }
  const count = (n, what) => n.toLocaleString("en") + " " + what + (n === 1 ? "" : "s");

  // column returns a number or null of each run.
  function column(of) {
    if (Array.isArray(of)) return of;
    const all = new Array(data.runs.name.length).fill(null);
    of.at.forEach((i, k) => { all[i] = of.values[k]; });
    return all;
  }

  // The choices: those of the address, or what fits the runs.
  const unique = (all) => [...new Set(all)];
  const measuresOf = (key) => data.figures.filter((f) => f.key === key);
  const side = (key) => data.dimensions.find((d) => d.key === key);
  function choices() {
    const asked = sheet.address(), s = {}, unknown = [];
    const from = (name, allowed, normal) => {
      const value = asked.get(name);
      if (value !== null && !allowed.includes(value)) unknown.push(name + "=" + value);
      s[name] = value !== null && allowed.includes(value) ? value : normal;
    };
    from("y", unique(data.figures.map((f) => f.key)), data.figures.length ? data.figures[0].key : "");
    const measures = measuresOf(s.y).map((f) => f.measure);
    from("m", measures, measures[0] || "");
    from("x", data.dimensions.map((d) => d.key).concat("begin"), data.first || "begin");
    from("by", data.dimensions.map((d) => d.key).concat("none"), data.lines && data.lines !== s.x ? data.lines : "none");
    const models = side("model");
    from("model", models ? models.values : [], null);
    from("line", ["mean", "median", "none"], "mean");
    from("xs", ["suitable", "linear", "log", "even"], "suitable");
    from("ys", ["suitable", "zero", "linear", "log"], "suitable");
    from("all", ["yes", "no"], data.runs.whole.includes(true) ? "no" : "yes");
    s.run = asked.get("run");
    s.unknown = unknown;
    return s;
  }

  const filled = new WeakMap();
  function fill(select, entries, chosen) {
    const groups = new Map(), text = JSON.stringify(entries);
    if (filled.get(select) === text) { select.value = chosen; return; } // a list that is open stays so
    filled.set(select, text);
    select.replaceChildren();
    for (const [value, text, group] of entries) {
      if (group && !groups.has(group)) {
        groups.set(group, Object.assign(document.createElement("optgroup"), { label: plain(group) }));
        select.append(groups.get(group));
      }
      (group ? groups.get(group) : select).append(Object.assign(document.createElement("option"), { value, textContent: plain(text) }));
    }
    select.value = chosen;
  }
  function controls(s) {
    const seen = new Set();
    fill(id("y"), data.figures.filter((f) => !seen.has(f.key) && seen.add(f.key)).map((f) => [f.key, f.name, f.group]), s.y);
    fill(id("m"), measuresOf(s.y).map((f) => [f.measure, f.measure]), s.m);
    id("measures").hidden = measuresOf(s.y).length < 2;
    const sides = data.dimensions.map((d) => [d.key, d.key, d.group]);
    fill(id("x"), sides.concat([["begin", "begin of the run", "The run"]]), s.x);
    fill(id("by"), [["none", "nothing"]].concat(sides), s.by);
    const models = side("model");
    fill(id("model"), [["", "all"]].concat(models ? models.values.slice().sort(natural).map((v) => [v, v]) : []), s.model || "");
    id("models").hidden = !models;
    fill(id("line"), [["mean", "means"], ["median", "medians"], ["none", "nothing"]], s.line);
    fill(id("xs"), [["suitable", "as it suits"], ["linear", "linear"], ["log", "logarithmic"], ["even", "evenly spaced"]], s.xs);
    fill(id("ys"), [["suitable", "as it suits"], ["zero", "from 0"], ["linear", "where dots are"], ["log", "logarithmic"]], s.ys);
    id("all").checked = s.all === "yes";
  }

  // look computes what is shown.
  function look(s) {
    const r = data.runs, v = { s, points: [], total: 0, left: 0, none: 0, without: 0, below: 0, shown: 0 };
    const figure = measuresOf(s.y).find((f) => f.measure === s.m) || null, ys = figure ? column(figure.of) : [];
    const x = s.x === "begin" ? null : side(s.x), by = s.by === "none" ? null : side(s.by), models = side("model");
    const value = (d, i) => (d.of[i] < 0 ? null : d.values[d.of[i]]);
    v.unit = figure ? figure.unit : "";
    v.yName = figure ? plain(figure.name + (figure.group.startsWith("Statistics of ") ? " of " + figure.group.slice(14) : "") +
      (figure.measure ? ": " + figure.measure : "") + (figure.group.startsWith("Events: ") ? ": time of an event" : "")) : "";
    v.yTitle = v.yName + (figure && figure.unit ? " (" + plain(figure.unit) + ")" : "");
    v.xName = x ? plain(s.x) : "begin of the run";
    v.byName = by ? plain(s.by) : "";
    for (let i = 0; i < r.name.length; i++) {
      if (s.model !== null && value(models, i) !== s.model) continue;
      v.total++;
      if (!r.whole[i] && s.all === "no") { v.left++; continue; }
      if (!figure || ys[i] === null) { v.none++; continue; }
      const text = x ? value(x, i) : plot.clock(r.begin[i]);
      if (text === null) { v.without++; continue; }
      v.points.push({ i, text, y: ys[i], whole: r.whole[i], by: by ? value(by, i) : null });
    }
    const texts = x ? unique(v.points.map((p) => p.text)) : [], numbers = x && texts.every(isNumber);
    for (const p of v.points) p.x = x ? (numbers ? Number(p.text) : 0) : r.begin[p.i];
    v.numbers = numbers || !x;
    let least = Infinity, most = -Infinity, low = Infinity, high = -Infinity;
    for (const p of v.points) { least = Math.min(least, p.x); most = Math.max(most, p.x); low = Math.min(low, p.y); high = Math.max(high, p.y); }
    v.xKind = !v.numbers || (x && s.xs === "even") ? "even" : !x ? "time" : s.xs === "log" ? "log" : s.xs === "linear" ? "linear" :
      least > 0 && most / least >= 50 ? "log" : "linear";
    v.yKind = s.ys !== "suitable" ? s.ys : low >= 0 && low > high / 2 ? "linear" : "zero";
    const drawn = v.points.filter((p) => !(v.xKind === "log" && !(p.x > 0)) && !(v.yKind === "log" && !(p.y > 0)));
    v.below = v.points.length - drawn.length;
    v.points = drawn;
    v.even = [];
    if (v.xKind === "even") {
      const found = new Map();
      for (const p of v.points) found.set(numbers ? String(p.x) : p.text, p.text);
      v.even = [...found.keys()].sort(natural);
      const place = new Map(v.even.map((text, i) => [text, i]));
      for (const p of v.points) p.x = place.get(numbers ? String(p.x) : p.text);
    }
    v.lines = by ? unique(v.points.map((p) => p.by)).sort((a, b) => (a === null) - (b === null) || (a === null ? 0 : natural(a, b))) : [null];
    const at = new Map(v.lines.map((text, i) => [text, i]));
    for (const p of v.points) p.line = at.get(p.by);
    v.points.sort((a, b) => a.line - b.line || a.x - b.x || a.y - b.y || a.i - b.i);
    v.groups = [];
    let g = null;
    for (const p of v.points) {
      if (!g || g.line !== p.line || g.x !== p.x) { g = { line: p.line, x: p.x, text: p.text, all: [], whole: [] }; v.groups.push(g); }
      g.all.push(p);
      if (p.whole) g.whole.push(p.y);
      p.group = g;
    }
    for (const group of v.groups) {
      const n = group.whole.length;
      if (!n) continue;
      group.mean = group.whole.reduce((sum, y) => sum + y / n, 0);
      if (group.whole[0] === group.whole[n - 1]) group.mean = group.whole[0];
      group.median = middle(group.whole);
    }
    return v;
  }
  const lineName = (line) => (view.lines[line] === null ? "not known" : worded(view.lines[line]));

  function sentence(v) {
    const s = v.s, left = [];
    if (v.left) left.push(v.left + " did not reach " + (v.left === 1 ? "its" : "their") + " end and " + (v.left === 1 ? "is" : "are") + " left out");
    if (v.none) left.push(v.none + (v.none === 1 ? " has" : " have") + " no such figure");
    if (v.without) left.push("of " + v.without + " it is not known what " + v.xName + " was");
    if (v.below) left.push(v.below + (v.below === 1 ? " is not above 0, and has" : " are not above 0, and have") + " no place on a logarithmic axis");
    const hollow = v.points.filter((p) => !p.whole).length;
    if (hollow) left.push(hollow + " did not reach " + (hollow === 1 ? "its" : "their") + " end and " + (hollow === 1 ? "is" : "are") + " hollow");
    const begin = count(v.total, "run") + (s.model !== null ? " of " + plain(s.model) : "") + ", " + v.points.length.toLocaleString("en") + " shown";
    const unknown = s.unknown.length ? " The address names what these runs do not have: " + plain(s.unknown.join(", ")) + "." : "";
    return begin + (left.length ? ": " + left.join("; ") : "") + "." + unknown;
  }

  // draw draws the picture.
  function draw() {
    const v = view, svg = id("picture"), width = Math.max(Math.floor(id("plot").clientWidth), 280), top0 = 10;
    svg.replaceChildren();
    // the names of the lines, in as many rows as they need
    let x = 0, y = top0 + 12;
    const keys = Math.min(v.lines.length, mostLines);
    if (v.byName) {
      const name = plot.cut(v.byName + ":", width * 0.5);
      plot.part(svg, "text", { x: 0, y, class: "soft" }, name);
      x = plot.wide(name) + 12;
      for (let i = 0; i < keys; i++) {
        const others = i === mostLines - 1 && v.lines.length > mostLines;
        const text = others ? v.lines.length - i + " others" : plot.cut(lineName(i), Math.min(220, width - 60)), w = plot.wide(text) + 32;
        if (x + w > width && x > 0) { x = 0; y += 18; }
        const mark = plot.part(svg, "path", { d: plot.sign(lookOf(i).shape, x + 7, y - 4, 5) });
        mark.style.fill = "var(--" + lookOf(i).colour + ")";
        plot.part(svg, "text", { x: x + 17, y }, text);
        x += w;
      }
      y += 22;
    }
    const top = y + 14, high = Math.min(Math.max(width * 0.48, 260), 460);
    plot.part(svg, "text", { x: 0, y: y + 4, class: "soft" }, plot.cut(v.yTitle, width));
    const up = plot.axis(v.yKind, v.points.map((p) => p.y), null);
    const across = plot.axis(v.xKind, v.points.map((p) => p.x), v.even.map((t) => worded(t)));
    const rows = up.marks(Math.floor(high / 55)), left = Math.ceil(Math.max(...rows.map((m) => plot.wide(m[1])), 20)) + 10;
    const box = { left, top, right: width - 12, bottom: top + high };
    const px = (t) => box.left + across.at(t) * (box.right - box.left), py = (t) => box.bottom - up.at(t) * high;
    for (const [value, text] of rows) {
      const at = py(value).toFixed(1);
      plot.part(svg, "path", { d: "M" + box.left + " " + at + "H" + box.right, class: "grid" });
      plot.part(svg, "text", { x: box.left - 6, y: Number(at) + 4, "text-anchor": "end" }, text);
    }
    plot.part(svg, "path", { d: "M" + box.left + " " + box.top + "V" + box.bottom + "H" + box.right, class: "axis" });
    const marks = across.marks(Math.max(Math.floor((box.right - box.left) / (v.xKind === "time" ? 110 : 80)), 2));
    const room = v.xKind === "even" ? (box.right - box.left) / Math.max(marks.length, 1) : 0, every = v.xKind === "even" ? Math.max(1, Math.ceil(46 / room)) : 1;
    let last = -Infinity;
    marks.forEach(([value, text], i) => {
      const at = px(value);
      plot.part(svg, "path", { d: "M" + at.toFixed(1) + " " + box.bottom + "v4", class: "axis" });
      if (i % every) return;
      const short = room ? plot.cut(text, room * every - 6) : text, half = plot.wide(short) / 2;
      const middle = Math.min(Math.max(at, half), width - half);
      if (middle - half < last + 8) return;
      last = middle + half;
      plot.part(svg, "text", { x: middle.toFixed(1), y: box.bottom + 18, "text-anchor": "middle" }, short);
    });
    plot.part(svg, "text", { x: (box.left + box.right) / 2, y: box.bottom + 38, "text-anchor": "middle", class: "soft" },
      plot.cut(v.xName + (v.xKind === "time" ? " (UTC)" : ""), box.right - box.left));
    for (const p of v.points) { p.px = px(p.x); p.py = py(p.y); }
    // the lines below the dots
    const size = v.points.length > 1000 ? 3 : v.points.length > 200 ? 4 : 5, dots = new Map();
    const of = (i) => {
      const key = Math.min(i, mostLines - 1);
      if (!dots.has(key)) dots.set(key, { line: "", solid: [], hollow: [], last: -1 });
      return dots.get(key);
    };
    if (v.s.line !== "none") {
      for (const g of v.groups) {
        if (!g.whole.length) continue;
        const d = of(g.line);
        d.line += (d.last === g.line ? "L" : "M") + px(g.x).toFixed(1) + " " + py(g[v.s.line]).toFixed(1);
        d.last = g.line;
      }
    }
    for (const p of v.points) of(p.line)[p.whole ? "solid" : "hollow"].push(plot.sign(lookOf(p.line).shape, p.px, p.py, size));
    for (const [i, d] of dots) {
      const line = plot.part(svg, "path", { d: d.line || "M0 0", class: "line" });
      line.style.stroke = "var(--" + lookOf(i).colour + ")";
    }
    for (const [i, d] of dots) {
      const solid = plot.part(svg, "path", { d: d.solid.join("") || "M0 0", class: "dots", "data-n": d.solid.length });
      solid.style.fill = "var(--" + lookOf(i).colour + ")";
      const hollow = plot.part(svg, "path", { d: d.hollow.join("") || "M0 0", class: "hollow", "data-n": d.hollow.length });
      hollow.style.stroke = "var(--" + lookOf(i).colour + ")";
    }
    if (!v.points.length) plot.part(svg, "text", { x: (box.left + box.right) / 2, y: top + high / 2, "text-anchor": "middle", class: "soft" }, "There is nothing to draw.");
    plot.part(svg, "path", { d: "M0 0", class: "ring", id: "ring" });
    svg.setAttribute("viewBox", "0 0 " + width + " " + (box.bottom + 46));
    v.size = size;
    ring();
    document.body.dataset.drawn = Number(document.body.dataset.drawn || 0) + 1;
  }
  const lookOf = (i) => (i >= mostLines - 1 && view.lines.length > mostLines ? { colour: "soft", shape: 0 } : plot.looks(i));

  // about returns what a dot means, as rows of name and text.
  function about(p) {
    const v = view, r = data.runs, g = p.group, rows = [[plain(r.name[p.i]), r.whole[p.i] ? "" : plain(r.state[p.i])], [v.xName, worded(p.text)]];
    if (v.byName) rows.push([v.byName, lineName(p.line)]);
    rows.push([v.yName, shown(p.y) + (v.unit ? " " + plain(v.unit) : "")]);
    if (v.s.x !== "begin") rows.push(["began", plot.clock(r.begin[p.i])]);
    if (g.whole.length > 1) {
      rows.push([g.whole.length + " runs with the same values", "mean " + shown(g.mean) + ", median " + shown(g.median) + ", from " +
        shown(g.whole[0]) + " to " + shown(g.whole[g.whole.length - 1])]);
    }
    return rows;
  }
  const told = (p) => about(p).map((row) => row[0] + (row[1] ? ": " + row[1] : "")).join("\n");
  const keptAt = () => (view.s.run === null ? -1 : view.points.findIndex((p) => data.runs.name[p.i] === view.s.run));

  function ring() {
    const at = over >= 0 ? over : keptAt(), mark = id("ring"), p = view.points[at];
    if (mark) mark.setAttribute("d", p ? plot.sign(0, p.px, p.py, view.size + 4) : "M0 0");
  }
  function keep(i) {
    sheet.address({ run: i < 0 ? null : data.runs.name[view.points[i].i] });
    view.s.run = i < 0 ? null : data.runs.name[view.points[i].i];
    chosen();
    ring();
  }
  function chosen() {
    const i = keptAt(), p = view.points[i], box = id("chosen");
    box.replaceChildren();
    for (const row of document.querySelectorAll("#points tr[data-run]")) row.classList.toggle("kept", Boolean(p) && Number(row.dataset.run) === p.i);
    if (!p) {
      if (view.s.run !== null) box.textContent = "The run " + plain(view.s.run) + " has no dot here.";
      return;
    }
    const [first, ...others] = about(p);
    box.append(nameOf(p.i), (first[1] ? ", " + first[1] : "") + ": " + others.map((row) => row.join(": ")).join("; ") + ".");
  }
  function nameOf(i) {
    const text = plain(data.runs.name[i]);
    if (!served || !data.runs.link || !data.runs.link[i].startsWith("/view?")) return text;
    return Object.assign(document.createElement("a"), { href: data.runs.link[i], textContent: text });
  }

  // point shows what is at a dot, next to it.
  function point(i, x, y) {
    over = i;
    ring();
    const tip = id("tip"), p = view.points[i];
    tip.hidden = !p;
    if (!p) return;
    tip.textContent = told(p);
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(Math.min(x + 14, innerWidth - box.width - 6), 6) + "px";
    tip.style.top = (y + 16 + box.height > innerHeight ? Math.max(y - box.height - 12, 4) : y + 16) + "px";
  }
  function nearest(event) {
    const box = id("picture").getBoundingClientRect(), scale = box.width / id("picture").viewBox.baseVal.width;
    const x = (event.clientX - box.left) / scale, y = (event.clientY - box.top) / scale;
    let best = -1, least = 24 * 24;
    view.points.forEach((p, i) => { const d = (p.px - x) ** 2 + (p.py - y) ** 2; if (d < least) { least = d; best = i; } });
    return best;
  }
  id("plot").addEventListener("pointermove", (e) => { if (e.pointerType !== "touch") point(nearest(e), e.clientX, e.clientY); });
  id("plot").addEventListener("pointerleave", () => point(-1));
  id("plot").addEventListener("click", (e) => keep(nearest(e)));
  id("plot").addEventListener("keydown", (e) => {
    const all = view.points, at = keptAt(), step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (e.ctrlKey || e.altKey || e.metaKey || !all.length) return;
    let to = null;
    if (step) to = at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1);
    else if (e.key === "Home") to = 0;
    else if (e.key === "End") to = all.length - 1;
    else if (e.key === "Escape") to = -1;
    else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      const line = at < 0 ? 0 : all[at].line + (e.key === "ArrowDown" ? 1 : -1);
      to = at;
      let least = Infinity;
      all.forEach((p, i) => { const d = p.line === line ? Math.abs(at < 0 ? 0 : p.px - all[at].px) : Infinity; if (d < least) { least = d; to = i; } });
    }
    if (to === null) return;
    e.preventDefault();
    point(-1);
    keep(to);
  });
  addEventListener("scroll", () => point(-1), { passive: true });

  // The tables: a row for each point, and for each group of several. A column is of numbers (n), of texts of any length (free), or "".
  // A click on a name sorts by keys(row), and a second one the other way round.
  const sorted = {};
  function table(section, head, rows, cells, keys) {
    const box = id(section), more = box.querySelector(".more"), body = box.querySelector("tbody");
    const line = document.createElement("tr");
    for (const [text, kind] of head) {
      const th = Object.assign(document.createElement("th"), { scope: "col", className: kind + (text.length < 24 ? " short" : "") });
      const by = sorted[section], at = line.childElementCount, button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
      th.append(button);
      line.append(th);
      if (by && by.text === text) {
        th.setAttribute("aria-sort", by.way > 0 ? "ascending" : "descending");
        rows = rows.slice().sort((a, b) => by.way * (kind === "n" ? keys(a)[at] - keys(b)[at] : natural(keys(a)[at], keys(b)[at])));
      }
      button.addEventListener("click", () => {
        sorted[section] = { text, way: by && by.text === text ? -by.way : 1 };
        tables();
        chosen();
        id(section).querySelectorAll("thead button")[at].focus();
      });
    }
    box.querySelector("thead").replaceChildren(line);
    const add = (from, to) => body.append(...rows.slice(from, to).map((row) => {
      const tr = document.createElement("tr");
      cells(row, tr).forEach((cell, i) => {
        const td = document.createElement(i === 0 ? "th" : "td");
        if (i === 0) td.scope = "row";
        td.className = head[i][1];
        td.append(cell);
        tr.append(td);
      });
      return tr;
    }));
    body.replaceChildren();
    add(0, few);
    more.hidden = rows.length <= few;
    more.textContent = "All " + rows.length.toLocaleString("en");
    more.onclick = () => { add(few, rows.length); more.hidden = true; chosen(); };
  }
  function tables() {
    const v = view, r = data.runs, by = v.byName ? [[v.byName, "free"]] : [], across = v.s.x === "begin" ? "" : v.numbers ? "n" : "free";
    table("points", [["Folder", "free"], [v.xName, across], ...by, [v.yTitle, "n"], ...(v.s.x === "begin" ? [] : [["Begin", "short"]]), ["State", ""]],
      v.points, (p, tr) => {
        tr.dataset.run = p.i;
        return [nameOf(p.i), worded(p.text), ...(v.byName ? [lineName(p.line)] : []), shown(p.y),
          ...(v.s.x === "begin" ? [] : [plot.clock(r.begin[p.i])]), plain(r.state[p.i])];
      }, (p) => [r.name[p.i], across === "n" ? Number(p.text) : p.text, ...(v.byName ? [p.by || ""] : []), p.y,
        ...(v.s.x === "begin" ? [] : [plot.clock(r.begin[p.i])]), r.state[p.i]]);
    id("points").hidden = !v.points.length;
    const several = v.groups.filter((g) => g.whole.length > 1);
    id("means").hidden = !several.length;
    table("means", [[v.xName, across], ...by, ["Runs", "n"], ["Mean", "n"], ["Median", "n"], ["Least", "n"], ["Greatest", "n"]],
      id("means").hidden ? [] : v.groups.filter((g) => g.whole.length), (g) => [worded(g.text), ...(v.byName ? [lineName(g.line)] : []), shown(g.whole.length),
        shown(g.mean), shown(g.median), shown(g.whole[0]), shown(g.whole[g.whole.length - 1])],
      (g) => [across === "n" ? Number(g.text) : g.text, ...(v.byName ? [v.lines[g.line] || ""] : []), g.whole.length, g.mean, g.median, g.whole[0],
        g.whole[g.whole.length - 1]]);
  }

  // show shows what is chosen.
  function show() {
    const s = choices();
    over = -1;
    id("tip").hidden = true;
    view = look(s);
    controls(s);
    id("xs").disabled = !view.numbers || s.x === "begin";
    id("title").textContent = data.figures.length ? view.yName + " against " + view.xName + (view.byName ? ", lines by " + view.byName : "") : "No figures";
    id("count").textContent = data.figures.length ? sentence(view) : data.runs.name.length ? "No run has a figure yet." :
      "There are no runs that describe themselves: run simulations with --stats-path.";
    id("plot").setAttribute("aria-label", id("title").textContent + ": " + count(view.points.length, "dot"));
    draw();
    tables();
    chosen();
    id("remarks").hidden = !data.remarks.length;
    id("notes").replaceChildren(...data.remarks.map((text) => Object.assign(document.createElement("li"), { textContent: plain(text) })));
  }
  for (const name of ["y", "m", "x", "by", "model", "line", "xs", "ys"]) {
    id(name).addEventListener("change", () => {
      const change = { [name]: id(name).value };
      if (name === "y") change.m = measuresOf(id("y").value).some((f) => f.measure === view.s.m) ? view.s.m : null;
      if (name === "x") change.xs = null;
      sheet.address(change);
      show();
    });
  }
  id("all").addEventListener("change", () => {
    sheet.address({ all: id("all").checked === data.runs.whole.includes(true) ? (id("all").checked ? "yes" : "no") : null });
    show();
  });
  addEventListener("hashchange", show);

  id("csv").addEventListener("click", () => {
    const v = view, r = data.runs, bare = (name) => name.replace(/^--/, ""); // a spreadsheet takes --batch for a formula
    const rows = v.points.map((p) => [r.name[p.i], p.text, ...(v.byName ? [p.by] : []), p.y, r.state[p.i], new Date(r.begin[p.i]).toISOString()]);
    sheet.save("figures.csv", "text/csv", sheet.csv([["folder", bare(v.xName), ...(v.byName ? [bare(v.byName)] : []), v.yTitle, "state", "begin"], ...rows]));
  });
  id("svg").addEventListener("click", () => sheet.svg(id("picture"), "figures.svg"));

  let wide = 0;
  new ResizeObserver(() => {
    if (Math.floor(id("plot").clientWidth) !== wide && view && !matchMedia("print").matches) { wide = Math.floor(id("plot").clientWidth); draw(); }
  }).observe(id("plot"));
  show();

  // A server has newer data when the files have changed.
  if (!served) return;
  setInterval(async () => {
    try {
      const answer = await fetch("/state");
      if (!answer.ok || await answer.text() === data.word) return;
      const newer = await fetch("/figures/data");
      if (!newer.ok) return;
      data = await newer.json();
      id("note").textContent = "changed, and loaded again";
      show();
    } catch (e) {
      id("note").textContent = "The server does not answer.";
    }
  }, 2000);
})();
