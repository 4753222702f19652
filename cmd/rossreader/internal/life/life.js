// What the reader does: choosing LPs, lanes, a stretch and a time; tables, files and the address.
(function () {
  "use strict";
  const data = sheet.data, lps = data.lps, words = lanes.words, id = (name) => document.getElementById(name);
  const whole = [data.from, data.to], exactly = (x) => String(x);
  const state = { from: whole[0], to: whole[1], cursor: null, blocks: [] };
  const tip = id("tip");
  const make = (tag, text, looks) => {
    const e = Object.assign(document.createElement(tag), looks || {});
    if (text !== undefined && text !== null) e.textContent = text;
    return e;
  };

  // The address has what differs from what is shown at first.
  const address = sheet.address();
  const given = (name, otherwise) => { const x = parseFloat(address.get(name)); return isFinite(x) ? x : otherwise; };
  state.from = given("from", whole[0]);
  state.to = given("to", whole[1]);
  if (!(state.to > state.from)) [state.from, state.to] = whole;
  state.cursor = given("t", null);
  const hidden = new Set((address.get("without") || "").split(",").filter(Boolean).map(Number));
  if (!address.has("without") && lps.length > 3) for (const l of lps.slice(3)) hidden.add(l.id);
  function note() {
    const values = { from: state.from === whole[0] && state.to === whole[1] ? null : exactly(state.from), to: state.from === whole[0] && state.to === whole[1] ? null : exactly(state.to),
      t: state.cursor === null ? null : exactly(state.cursor), without: hidden.size || lps.length > 3 ? [...hidden].join(",") || "none" : null };
    for (const b of state.blocks) {
      const keys = b.all.map((l, i) => (b.chosen.has(l.key) ? i : -1)).filter((i) => i >= 0).join(" ");
      values["lanes" + b.life.id] = keys === b.usual ? null : keys || "none";
    }
    sheet.address(values);
  }

  // Block is what the page has of an LP.
  function block(life) {
    life.gaps = life.gaps || [];
    for (const part of ["in", "out", "traceIn", "traceOut"]) for (const k of Object.keys(life[part])) life[part][k] = life[part][k] || [];
    const all = lanes.ofLP(life), usual = lanes.usual(all), b = { life, all, chosen: new Set(usual), places: [] };
    b.usual = all.map((l, i) => (b.chosen.has(l.key) ? i : -1)).filter((i) => i >= 0).join(" ");
    const kept = address.get("lanes" + life.id);
    if (kept !== null) b.chosen = new Set(kept.split(" ").map((i) => all[Number(i)]).filter(Boolean).map((l) => l.key));
    const head = "lp" + life.id, figure = make("figure", null, { id: head });
    figure.dataset.lp = life.id;
    figure.setAttribute("aria-labelledby", head + "-name");
    const caption = make("figcaption");
    caption.append(make("h2", life.name + (life.type ? " (" + life.type + ")" : ""), { id: head + "-name" }), make("p", about(life)));
    b.plot = make("div", null, { className: "plot", tabIndex: 0 });
    b.plot.setAttribute("role", "application");
    b.canvas = make("canvas");
    b.canvas.setAttribute("aria-hidden", "true");
    b.line = make("div", null, { className: "line", hidden: true });
    b.brush = make("div", null, { className: "brush", hidden: true });
    b.now = make("div", null, { className: "now" });
    b.now.setAttribute("aria-hidden", "true"); // the tables have the same
    b.plot.append(b.canvas, b.now, b.line, b.brush);
    figure.append(caption, chooser(b, head), b.plot);
    b.figure = figure;
    b.below = make("div", null, { className: "below" });
    b.details = make("section", null, { className: "details" });
    b.details.dataset.lp = life.id;
    b.details.setAttribute("aria-labelledby", head + "-details");
    b.details.append(make("h2", life.name, { id: head + "-details" }), b.below);
    listen(b);
    return b;
  }

  function about(life) {
    const n = (list, what) => (list.length === 1 ? "1 " + what : list.length.toLocaleString("en") + " " + what + "s");
    const parts = [];
    if (life.text) {
      parts.push(n(life.in.at, "event") + " received, " + life.out.at.length.toLocaleString("en") + " sent");
      parts.push("known from " + exactly(life.from) + " to " + exactly(life.to) + ": then " + life.ends);
      for (const g of life.gaps) parts.push("not watched from " + exactly(g.From) + " to " + exactly(g.To));
    }
    if (life.traceIn.at.length + life.traceOut.at.length) parts.push((parts.length ? "in" : "In") + " the trace " + n(life.traceIn.at, "event") + " received, " + life.traceOut.at.length.toLocaleString("en") + " sent");
    return parts.length ? parts.join("; ") + "." : "Nothing about this LP is in what was read.";
  }

  // chooser makes the checkboxes of the lanes, by groups.
  function chooser(b, head) {
    const box = make("details", null, { className: "lanes" }), some = make("div", null, { className: "some", tabIndex: 0 });
    box.append(make("summary", "Lanes"));
    some.setAttribute("role", "group");
    some.setAttribute("aria-label", "Lanes of " + b.life.name);
    const tools = make("div", null, { className: "tools" }), search = make("input", null, { type: "text", size: 16 });
    const label = make("label", "Only names with ");
    label.append(search);
    const set = (which) => () => {
      for (const l of b.all) if (!boxes.get(l.key).parentElement.hidden) { if (which) b.chosen.add(l.key); else b.chosen.delete(l.key); boxes.get(l.key).checked = which; }
      note();
      draw();
    };
    tools.append(label, make("button", "All", { type: "button", onclick: set(true) }), make("button", "None", { type: "button", onclick: set(false) }));
    const boxes = new Map();
    let group = null;
    const order = [...b.all.keys()].sort((x, y) => (groupAt(b.all[x]) - groupAt(b.all[y])) || x - y);
    function groupAt(l) { return b.all.findIndex((o) => o.group === l.group); }
    const heads = [];
    for (const i of order) {
      const l = b.all[i];
      if (l.group !== group) {
        group = l.group;
        const own = make("div", null, { className: "wide" });
        own.style.flexBasis = "100%";
        own.append(make("h3", group));
        heads.push(own);
        some.append(own);
      }
      const line = make("label"), check = make("input", null, { type: "checkbox", checked: b.chosen.has(l.key) });
      check.dataset.key = l.key;
      check.addEventListener("change", () => {
        if (check.checked) b.chosen.add(l.key); else b.chosen.delete(l.key);
        note();
        draw();
      });
      boxes.set(l.key, check);
      line.append(check, l.name);
      some.append(line);
    }
    search.addEventListener("input", () => {
      for (const l of b.all) boxes.get(l.key).parentElement.hidden = !l.name.toLowerCase().includes(search.value.toLowerCase());
    });
    box.append(tools, some);
    return box;
  }

  const shownLanes = (b) => b.all.filter((l) => b.chosen.has(l.key));
  const widthOf = (b) => Math.max(b.plot.clientWidth || 300, 120);

  // draw draws all LPs that are shown.
  let pending = false, drawn = 0;
  function draw() {
    if (pending) return;
    pending = true;
    requestAnimationFrame(() => { pending = false; now(); });
  }
  function now() {
    for (const b of state.blocks) {
      b.figure.hidden = b.details.hidden = hidden.has(b.life.id);
      if (b.figure.hidden) continue;
      const chosen = shownLanes(b), width = widthOf(b), height = lanes.heightOf(chosen);
      b.frame = lanes.frame(state.from, state.to, width);
      b.places = lanes.picture(paper.onCanvas(b.canvas, width, height), b.life, chosen, b.frame);
      b.now.replaceChildren(...b.places.map((p) => {
        const own = make("span");
        own.style.top = p.top + "px";
        return own;
      }));
      b.plot.setAttribute("aria-label", b.life.name + ": " + chosen.length + " lanes from " + exactly(state.from) + " to " + exactly(state.to) +
        ". Left and right go from event to event; the tables below have the values.");
    }
    id("from").value = exactly(state.from);
    id("to").value = exactly(state.to);
    ask();
    document.body.dataset.drawn = ++drawn;
  }

  // ask shows what is under the cursor, and statistics of the stretch.
  function ask() {
    id("cursor").value = state.cursor === null ? "" : exactly(state.cursor);
    for (const b of state.blocks) {
      if (b.figure.hidden) continue;
      const x = state.cursor === null ? -1 : b.frame.x(state.cursor);
      b.line.hidden = !(x >= b.frame.left - 0.5 && x <= b.frame.right + 0.5);
      b.line.style.left = x + "px";
      b.places.forEach((p, i) => { b.now.children[i].textContent = b.line.hidden ? "" : brief(b, p.lane, state.cursor); });
      tables(b);
    }
    document.body.dataset.asked = state.cursor === null ? "" : exactly(state.cursor);
  }

  // brief returns what a lane has at a time, in few words.
  function brief(b, l, t) {
    if (!l.value) return "";
    if (l.kind !== "sample" && unknownAt(b, t)) return "unknown";
    const v = l.value(t);
    return v === undefined ? "" : typeof v === "number" ? sheet.text(v) : lanes.shown(v).slice(0, 40);
  }
  const unknownAt = (b, t) => b.life.text && (t > b.life.to || t < b.life.from || b.life.gaps.some((g) => t > g.From && t < g.To));

  function table(title, heads, rows, looks) {
    const part = make("div", null, looks), box = make("div", null, { className: "scroll", tabIndex: 0 }), t = make("table"), top = make("tr");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", title);
    for (const h of heads) top.append(Object.assign(make("th", h), { scope: "col" }));
    const head = make("thead"), body = make("tbody");
    head.append(top);
    for (const row of rows) {
      const line = make("tr");
      row.forEach((cell, i) => line.append(i ? make("td", cell, { className: typeof cell === "number" ? "n" : "" }) : Object.assign(make("th", cell), { scope: "row" })));
      body.append(line);
    }
    t.append(head, body);
    box.append(t);
    part.append(make("h3", title), box);
    return part;
  }

  // held returns what is known to be in a list at a time, when it has a number of values. Nothing is known any longer of
  // what was in it before a stretch that was not watched.
  function held(b, f, t, number) {
    const inside = new Map(), when = f.when || [];
    let last = b.life.from, total = 0;
    const forget = (until) => { if (b.life.gaps.some((g) => g.From >= last && g.To <= until)) inside.clear(); last = until; };
    for (let i = 0; i < when.length && when[i] <= t; i++) {
      forget(when[i]);
      const key = f.key[i], name = key ? "[" + key : f.item[i], old = inside.get(name);
      if (f.what[i] === 2) {
        if (old) old.text = key + ": changed at " + exactly(when[i]);
      } else if (f.what[i] === 1) inside.set(name, { text: key && f.item[i] ? key + ": " + f.item[i] : key || f.item[i], n: old && !key ? old.n + 1 : 1 });
      else if (old && --old.n < 1) inside.delete(name);
    }
    forget(t);
    for (const e of inside.values()) total += e.n;
    if (!total || typeof number === "number" && total > number) return "";
    const some = [...inside.values()].slice(0, 6).map((e) => (e.n > 1 ? e.n + " × " : "") + e.text);
    return (typeof number === "number" && total < number ? total + " known: " : "") + some.join("; ") + (inside.size > 6 ? "; and " + (inside.size - 6) + " more" : "");
  }

  // valuesAt returns the rows of the table: every field that changes, in the state and in samples.
  function valuesAt(b, t) {
    const rows = [];
    for (const l of b.all) {
      if (!l.at || l.constant || l.kind === "events" || l.kind === "statistic" && l.of.kind === "value") continue;
      const i = lanes.upto(l.at, t), sampled = l.kind === "sample";
      let v = i < 0 ? null : l.raw[i], since = i < 0 ? "" : exactly(l.at[i]);
      if (!sampled && unknownAt(b, t)) { v = null; since = ""; }
      if (v === null || v === undefined) since = "";
      let text = lanes.shown(v);
      const inside = l.field && l.field.when && v !== null ? held(b, l.field, t, v) : "";
      if (inside) text += ": " + inside;
      rows.push([l.name + (sampled ? ", sampled" : l.kind === "statistic" ? " (statistic)" : ""), text, sampled ? "at " + since : since]);
    }
    return rows;
  }

  function tables(b) {
    const life = b.life, t = state.cursor === null ? state.to : state.cursor, parts = [];
    const at = state.cursor === null ? "at the end of the stretch, " + exactly(t) : "at " + exactly(t);
    const rows = valuesAt(b, t);
    if (rows.length) parts.push(table("Values " + at, ["Field", "Value", "Since"], rows, { className: "values" }));
    parts.push(event(b, t));
    const waits = list(life.timers.name).map((name, i) => i).filter((i) => (life.timers.set[i] === null || life.timers.set[i] <= t) && t <= life.to &&
      (life.timers.end[i] === null ? !(lanes.numeric(life.timers.due[i]) < t) : life.timers.end[i] > t));
    if (waits.length) {
      parts.push(table("Timers that wait " + at, ["Timer", "Set", "Due", "Message"], waits.slice(0, 50).map((i) => [life.timers.name[i], life.timers.set[i] === null ? "before" : exactly(life.timers.set[i]),
        life.timers.due[i] === null ? "unknown" : exactly(life.timers.due[i]), life.timers.text[i]]), { className: "timers" }));
    }
    const alive = list(life.processes).filter((p) => (p.from === null || p.from <= t) && (p.to === null || p.to > t) && t <= life.to);
    if (alive.length) {
      parts.push(table("Processes " + at + ": " + alive.length, ["Process", "Does"], alive.slice(0, 50).map((p) => { const i = lanes.upto(p.at, t); return [p.name, i < 0 ? "unknown" : p.does[i]]; }), { className: "processes" }));
    }
    const stats = statistics(b);
    if (stats.length) parts.push(table("Statistics recorded from " + exactly(state.from) + " to " + exactly(state.to), ["Statistic", "Recordings", "Mean", "Least", "Greatest", "Sum"], stats, { className: "stats wide" }));
    const constant = b.all.filter((l) => l.constant).map((l) => [l.name + (l.kind === "sample" ? ", sampled" : ""), lanes.shown(l.raw[0])]).concat(list(life.quiet).map((path) => [path, "does not change; the text does not say its value"]));
    if (constant.length) parts.push(table("Never change", ["Field", "Value"], constant, { className: "constant wide" }));
    b.below.replaceChildren(...parts);
  }
  const list = (x) => x || [];

  // event shows the last event up to a time.
  function event(b, t) {
    const part = make("div", null, { className: "event" }), own = b.life.in.at.length ? b.life.in : b.life.traceIn;
    const i = b.picked !== undefined && own.at[b.picked] === t ? b.picked : lanes.upto(own.at, t);
    b.at = i;
    part.append(make("h3", i < 0 ? "No event before" : "Event " + (i + 1) + " of " + own.at.length + ", at " + exactly(own.at[i])));
    const box = make("div", null, { className: "scroll", tabIndex: 0 });
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Text about the event");
    if (i >= 0) box.append(make("p", describe(own, i), { className: "hint" }), make("pre", own.text[i]));
    part.append(box);
    return part;
  }
  const describe = (e, i) => words[e.what[i]] + " from " + words[e.by[i]] + ", sent at " + exactly(e.sent[i]) + ", delay " + sheet.text(e.at[i] - e.sent[i]);

  // tell returns the text about an event that was received or sent.
  const tell = (b, e, i) => (e.due ? words[e.what[i]] + " to " + words[e.to[i]] + " at " + exactly(e.at[i]) + ", for " + exactly(e.due[i]) + ", delay " +
    sheet.text(lanes.numeric(e.due[i]) - e.at[i]) + "\n" + lanes.textOf(b.life, e, i) : describe(e, i) + "\n" + e.text[i]);

  // statistics returns count, mean, least, greatest and sum of what was recorded in the stretch. The mean of a level is
  // that over the time in which it is known.
  function statistics(b) {
    const rows = [];
    for (const l of b.all) {
      if (l.kind !== "statistic") continue;
      const a = lanes.first(l.of.at, state.from), e = lanes.after(l.of.at, state.to);
      if (l.of.kind === "level" || l.of.kind === "change") {
        let sum = 0, time = 0, least = Infinity, most = -Infinity;
        const end = Math.min(state.to, b.life.to);
        for (let i = Math.max(lanes.upto(l.at, state.from), 0); i < l.at.length && l.at[i] <= end; i++) {
          const v = l.num[i], from = Math.max(l.at[i], state.from), to = Math.min(i + 1 < l.at.length ? l.at[i + 1] : end, end);
          if (Number.isNaN(v)) continue;
          least = Math.min(least, v);
          most = Math.max(most, v);
          if (to > from) { sum += v * (to - from); time += to - from; }
        }
        const given = l.of.at.slice(a, e).filter((t) => t > b.life.from || l.of.at[0] > b.life.from).length;
        rows.push([l.name, given, time > 0 ? sheet.text(sum / time) + " over time" : "–", sheet.text(least), sheet.text(most), ""]);
        continue;
      }
      let sum = 0, n = 0, least = Infinity, most = -Infinity;
      for (let i = a; i < e; i++) {
        const v = lanes.numeric(l.of.value[i]);
        n++;
        sum += v;
        least = Math.min(least, v);
        most = Math.max(most, v);
      }
      rows.push([l.name, n, n ? sheet.text(sum / n) : "–", n ? sheet.text(least) : "–", n ? sheet.text(most) : "–", n ? sheet.text(sum) : "–"]);
    }
    return rows;
  }

  // stretch shows a stretch of virtual time.
  function stretch(from, to) {
    const least = Math.max(Math.abs(from), Math.abs(to), 1e-9) * 1e-12;
    if (!(to - from > least) || !isFinite(to - from)) return;
    const room = whole[1] - whole[0];
    if (to - from >= room) [from, to] = whole;
    else if (from < whole[0]) [from, to] = [whole[0], whole[0] + (to - from)];
    else if (to > whole[1]) [from, to] = [whole[1] - (to - from), whole[1]];
    state.from = from;
    state.to = to;
    note();
    draw();
  }
  const zoom = (by, around) => { const t = around === undefined ? (state.cursor !== null && state.cursor >= state.from && state.cursor <= state.to ? state.cursor : (state.from + state.to) / 2) : around; stretch(t - (t - state.from) * by, t + (state.to - t) * by); };
  const move = (by) => { const d = (state.to - state.from) * by; stretch(state.from + d, state.to + d); };
  let asking = false;
  function point(t, lasting) {
    state.cursor = t;
    if (lasting) note();
    if (asking) return;
    asking = true;
    requestAnimationFrame(() => { asking = false; ask(); });
  }

  // go puts the cursor at an event of an LP, and shows it.
  function go(b, i) {
    const own = b.life.in.at.length ? b.life.in : b.life.traceIn;
    if (i < 0 || i >= own.at.length) return;
    b.picked = i;
    const t = own.at[i], half = (state.to - state.from) / 2;
    state.cursor = t;
    if (t < state.from || t > state.to) stretch(t - half, t + half);
    note();
    point(t, true);
  }

  function listen(b) {
    const place = (e) => { const box = b.plot.getBoundingClientRect(); return { x: e.clientX - box.left, y: e.clientY - box.top }; };
    const inside = (x) => Math.min(Math.max(x, b.frame.left), b.frame.right);
    const laneAt = (y) => (b.places.find((p) => y >= p.top && y < p.bottom) || {}).lane;
    let down = null;
    const hover = (e, p) => {
      const lane = laneAt(p.y), i = lane && lane.near ? lane.near(b.frame.t(p.x), (b.frame.to - b.frame.from) / b.frame.width * 5) : undefined;
      tip.hidden = i === undefined;
      if (i === undefined) return undefined;
      tip.textContent = lane.tell ? lane.tell(i) : tell(b, lane.events, i);
      tip.style.left = Math.max(Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8), 4) + "px";
      tip.style.top = Math.max(Math.min(e.clientY + 16, innerHeight - tip.offsetHeight - 8), 4) + "px";
      return { lane, i };
    };
    b.plot.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      down = place(e);
      b.plot.setPointerCapture(e.pointerId);
      b.plot.focus({ preventScroll: true });
      e.preventDefault();
    });
    b.plot.addEventListener("pointermove", (e) => {
      const p = place(e);
      if (down) {
        const [x, y] = [inside(down.x), inside(p.x)].sort((m, n) => m - n);
        b.brush.hidden = y - x < 4;
        b.brush.style.left = x + "px";
        b.brush.style.width = y - x + "px";
        tip.hidden = true;
        return;
      }
      if (state.pinned) { hover(e, p); return; }
      b.picked = undefined;
      if (p.x >= b.frame.left && p.x <= b.frame.right) point(b.frame.t(p.x), false);
      hover(e, p);
    });
    b.plot.addEventListener("pointerup", (e) => {
      if (!down) return;
      const p = place(e), a = inside(down.x), z = inside(p.x);
      down = null;
      b.brush.hidden = true;
      if (Math.abs(a - z) >= 4) { stretch(b.frame.t(Math.min(a, z)), b.frame.t(Math.max(a, z))); return; }
      const found = hover(e, p);
      b.picked = undefined;
      state.pinned = true;
      if (found && found.lane.from === "in") go(b, found.i);
      else if (found && found.lane.from === "out") go(b, found.lane.events.by[found.i]);
      else if (found) point(found.lane.events ? found.lane.events.at[found.i] : found.lane.field.when[found.i], true);
      else point(b.frame.t(z), true);
    });
    b.plot.addEventListener("pointercancel", () => { down = null; b.brush.hidden = true; });
    b.plot.addEventListener("pointerleave", () => { tip.hidden = true; });
    b.plot.addEventListener("dblclick", () => { state.pinned = false; });
    b.plot.addEventListener("wheel", (e) => {
      if (document.activeElement !== b.plot && !e.ctrlKey) return;
      e.preventDefault();
      if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) move(e.deltaX > 0 ? 0.1 : -0.1);
      else zoom(e.deltaY > 0 ? 1.25 : 0.8, b.frame.t(inside(place(e).x)));
    }, { passive: false });
    b.plot.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const own = b.life.in.at.length ? b.life.in : b.life.traceIn, t = state.cursor === null ? state.from : state.cursor;
      const here = b.picked !== undefined && own.at[b.picked] === t ? b.picked : lanes.upto(own.at, t);
      const keys = {
        ArrowRight: () => go(b, state.cursor === null ? lanes.first(own.at, state.from) : here + 1),
        ArrowLeft: () => go(b, here >= 0 && own.at[here] < t ? here : here - 1),
        Home: () => go(b, 0), End: () => go(b, own.at.length - 1),
        "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), ",": () => move(-0.5), ".": () => move(0.5), 0: () => stretch(...whole),
        Escape: () => { state.cursor = null; state.pinned = false; tip.hidden = true; note(); ask(); },
      };
      const what = keys[e.key];
      if (!what) return;
      e.preventDefault();
      state.pinned = true;
      what();
    });
  }

  // rows of CSV: what is shown in the stretch.
  function csv() {
    const rows = [["lp", "lane", "time", "value", "text"]], add = (b, l, t, v, text) => rows.push([b.life.name, l.key.replace(/^[a-z]:/, ""), t, v === null ? "unknown" : v, text]);
    for (const b of state.blocks) {
      if (b.figure.hidden) continue;
      for (const l of shownLanes(b)) {
        if (l.kind === "timers") {
          l.begin.forEach((t, i) => { if (t <= state.to && l.end[i] >= state.from) add(b, l, t, b.life.timers.name[i], "until " + l.end[i] + (l.how[i] ? ", " + l.how[i] : "")); });
          continue;
        }
        const holds = l.kind !== "events" && l.joined !== false;
        const begin = holds ? Math.max(lanes.upto(l.at, state.from), 0) : lanes.first(l.at, state.from);
        for (let i = begin; i < l.at.length && l.at[i] <= state.to; i++) {
          if (l.kind === "events") { const k = l.index[i], e = l.events; add(b, l, l.at[i], e.due ? words[e.to[k]] : words[e.by[k]], lanes.textOf(b.life, e, k)); } else add(b, l, l.at[i], l.raw[i], "");
        }
      }
    }
    sheet.save("life.csv", "text/csv", sheet.csv(rows));
  }
  function svg() {
    const pen = paper.onSVG();
    let y = 0, width = 0;
    for (const b of state.blocks) {
      if (b.figure.hidden) continue;
      const chosen = shownLanes(b), own = paper.shifted(pen, y + 24);
      width = Math.max(width, widthOf(b));
      pen.text(8, y + 16, b.life.name + (b.life.type ? " (" + b.life.type + ")" : ""), sheet.colour("ink"), 14);
      lanes.picture(own, b.life, chosen, lanes.frame(state.from, state.to, widthOf(b)));
      if (state.cursor !== null && state.cursor >= state.from && state.cursor <= state.to) own.lines([[b.frame.x(state.cursor), 0, b.frame.x(state.cursor), lanes.heightOf(chosen) - 22]], sheet.colour("mark"), 1);
      y += lanes.heightOf(chosen) + 34;
    }
    sheet.save("life.svg", "image/svg+xml", pen.file(width, y));
  }

  // The page.
  for (const l of lps) {
    const label = make("label"), check = make("input", null, { type: "checkbox", checked: !hidden.has(l.id) });
    check.dataset.lp = l.id;
    check.addEventListener("change", () => {
      if (check.checked) hidden.delete(l.id); else hidden.add(l.id);
      note();
      draw();
    });
    label.append(check, l.name);
    id("lps").append(label);
    const b = block(l);
    state.blocks.push(b);
    id("lives").append(b.figure);
    id("details").append(b.details);
  }
  if (data.notes.length || data.unknown) {
    id("remarks").hidden = false;
    for (const text of data.notes) id("notes").append(make("li", text));
    if (data.unknown) {
      id("notes").append(make("li", data.unknown.toLocaleString("en") + (data.unknown === 1 ? " line was" : " lines were") + " not understood:", { id: "misses" }));
      id("unread").tabIndex = 0;
      id("unread").setAttribute("role", "group");
      id("unread").setAttribute("aria-label", "Lines that were not understood");
      id("unread").append(make("pre", data.unread.map((u) => u.where + ": " + u.text).join("\n")));
    }
  }
  const typed = (name, set) => id(name).addEventListener("change", () => { const x = parseFloat(id(name).value); if (isFinite(x)) set(x); draw(); });
  typed("from", (x) => { if (x < state.to) { state.from = Math.max(x, whole[0]); note(); } });
  typed("to", (x) => { if (x > state.from) { state.to = Math.min(x, whole[1]); note(); } });
  typed("cursor", (x) => { state.pinned = true; point(x, true); });
  for (const [name, what] of [["whole", () => stretch(...whole)], ["in", () => zoom(0.5)], ["out", () => zoom(2)], ["left", () => move(-0.5)], ["right", () => move(0.5)], ["csv", csv], ["svg", svg]]) id(name).addEventListener("click", what);
  state.pinned = state.cursor !== null;
  new ResizeObserver(draw).observe(id("lives"));
  addEventListener("beforeprint", now);
  sheet.onTheme(now);
})();
