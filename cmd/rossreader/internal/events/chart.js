// The sequence chart: what is shown, how it is drawn, and what the reader does with it.
(function () {
  "use strict";
  const data = sheet.data, about = data.about, $ = (id) => document.getElementById(id);
  const source = data.excerpt ? excerptSource(data.excerpt) : servedSource(about);
  const ROW = 26, AXIS = 40, MOST = 120, RADIUS = 4.5, RIGHT = 44;
  const view = $("view"), picture = $("picture"), bar = $("bar");

  // What is shown. lps: lanes in their order, null for all; top: pixels above the first row that is seen.
  const state = { lps: null, base: 0, a: 0, b: 1, top: 0, event: null, chosen: new Set() };
  let shown = { lanes: [], s: { base: 0, a: 0, b: 1 }, columns: 1 }, story = null, turn = 0, pending = null, problem = "";
  const names = new Map(), ids = new Map(); // names of lanes that have been seen, and lanes by the id of the LP

  const rows = () => (state.lps ? state.lps.length : source.rows);
  const laneOf = (row) => (state.lps ? state.lps[row] : source.laneOf(row));
  const rowOf = (lane) => (state.lps ? state.lps.indexOf(lane) : source.rowOf(lane));
  const escape = (text) => String(text).replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";");
  const plural = (n, what) => n.toLocaleString("en") + " " + what + (n === 1 ? "" : "s");
  const nameOf = (lane) => names.get(lane) || "lane " + lane;
  const idOf = (name) => name.split(" ")[0];
  const time = (t) => String(t);

  // Sizes in pixels. On paper the chart is as wide as a page.
  let printing = false;
  const gutter = () => (about.named ? (width() < 600 ? 96 : 180) : 64);
  const width = () => (printing ? 690 : view.clientWidth);
  const height = () => (printing ? AXIS + Math.min(rows(), 30) * ROW : view.clientHeight);
  const inner = () => Math.max(width() - gutter() - RIGHT, 50);
  const x = (t) => gutter() + place(state, t) * inner();
  const y = (row) => AXIS + row * ROW + ROW / 2 - state.top;

  // The range of rows that can be seen.
  function range() {
    const from = Math.max(Math.floor(state.top / ROW), 0);
    return [from, Math.min(Math.ceil((state.top + height() - AXIS) / ROW), rows())];
  }
  function clampTop() {
    state.top = Math.min(Math.max(state.top, 0), Math.max(rows() * ROW - (height() - AXIS), 0));
  }

  // rebase chooses the base so that offsets keep all digits: a round number near the stretch if that is narrow.
  function rebase() {
    const middle = state.base + (state.a + state.b) / 2, span = state.b - state.a;
    let base = 0;
    if (span < Math.abs(middle) * 1e-5) {
      const grain = 10 ** (Math.floor(Math.log10(Math.abs(middle))) - 4);
      base = Number((Math.round(middle / grain) * grain).toPrecision(15));
    }
    if (base !== state.base) {
      const move = state.base - base;
      state.a += move;
      state.b += move;
      state.base = base;
    }
  }
  const whole = () => (source.has || [about.from, about.to]);
  // setFirst shows the end of what there is, as much as is drawn as events and arrows.
  function setFirst() {
    const [from, to] = whole(), events = data.excerpt ? data.excerpt.events.length : about.events, part = 40 * source.rows / events;
    setWhole();
    if (part < 1 && to > from) state.a = state.b - (to - from) * Math.max(part, 1e-9);
  }
  function setWhole() {
    const [from, to] = whole(), margin = (to - from) * 0.02 || Math.abs(to) * 1e-9 || 1;
    Object.assign(state, { base: 0, a: from - margin, b: to + margin });
  }
  function zoom(by, at) {
    const span = state.b - state.a, least = Math.max(Math.abs(about.to), 1e-280) * 1e-19, most = 4 * (about.to - about.from) + 10;
    const next = Math.min(Math.max(span * by, least), Math.max(most, span)), centre = state.a + span * at;
    state.a = centre - next * at;
    state.b = state.a + next;
    change();
  }
  function pan(part) {
    const by = (state.b - state.a) * part;
    state.a += by;
    state.b += by;
    change();
  }
  function show(t) { // brings a time into the stretch
    const at = place(state, t);
    if (at >= 0.02 && at <= 0.98) return;
    const half = (state.b - state.a) / 2, to = t - state.base;
    state.a = to - half;
    state.b = to + half;
  }
  function showLane(lane) {
    const row = rowOf(lane);
    if (row < 0) return;
    if (y(row) < AXIS + ROW / 2 || y(row) > height() - ROW / 2) state.top = row * ROW - (height() - AXIS) / 2;
    clampTop();
  }

  // change draws at once what is known, and then asks for what is not.
  function change() {
    rebase();
    clampTop();
    draw();
    if (!pending) pending = requestAnimationFrame(() => { pending = null; load(); });
  }
  async function load() {
    const mine = ++turn, [from, to] = range(), lanes = [], s = { base: state.base, a: state.a, b: state.b };
    for (let row = from; row < to; row++) lanes.push(laneOf(row));
    const columns = Math.max(Math.floor(inner() / 2), 1);
    try {
      const found = lanes.length ? await source.view(lanes, s, columns, MOST, false) : [];
      if (mine !== turn) return;
      for (const l of found) { names.set(l.lane, l.name); ids.set(idOf(l.name), l.lane); }
      shown = { lanes: found, s: s, columns: columns };
      problem = "";
    } catch (e) {
      if (mine !== turn) return;
      problem = "The server does not answer: " + e.message + " ";
    }
    draw();
    keep();
    document.body.dataset.loaded = String(mine);
  }
  function keep() {
    sheet.address({
      lps: state.lps ? state.lps.map((lane) => idOf(nameOf(lane))).join() : null, base: state.base || null,
      a: state.a, b: state.b, event: state.event,
    });
  }

  // The drawing.
  function step(span, room) {
    const least = span / Math.max(room, 1), power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) || least;
  }
  function axis(w, h) {
    const each = step(state.b - state.a, inner() / (width() < 600 ? 64 : 95)), parts = [], digits = Math.max(0, -Math.floor(Math.log10(each)));
    const sign = state.base ? (v) => (v < 0 ? "−" : "+") : (v) => (v < 0 ? "−" : "");
    for (let k = Math.ceil(state.a / each); k * each <= state.b && parts.length < 60; k++) {
      const value = k * each, at = gutter() + ((value - state.a) / (state.b - state.a)) * inner();
      const size = Math.abs(value);
      const text = size >= 1e15 || digits > 9 ? Number(size.toPrecision(6)).toExponential().replace("e+0", "") : size.toFixed(Math.min(digits, 9));
      parts.push(`<line class="tick" x1="${at}" x2="${at}" y1="${AXIS - 6}" y2="${h}"/><text class="label" x="${at}" y="${AXIS - 10}">${sign(value)}${text}</text>`);
    }
    const title = state.base ? "virtual time: " + time(state.base) + " and" : "virtual time";
    return `<text class="base" x="4" y="12">LP</text><text class="base" id="base" x="${gutter()}" y="12">${escape(title)}</text>` + parts.join("");
  }
  function outside(h) { // what the page does not have
    if (!source.has) return "";
    const from = Math.min(Math.max(x(source.has[0]), gutter()), width()), to = Math.min(Math.max(x(source.has[1]), gutter()), width());
    const part = (x1, x2) => (x2 > x1 ? `<rect class="outside" x="${x1}" y="${AXIS}" width="${x2 - x1}" height="${h - AXIS}"/>` : "");
    return part(gutter(), from - RADIUS) + part(to + RADIUS, width());
  }
  function arrow(e, looks) {
    const from = rowOf(e[SRC]), to = rowOf(e[LANE]);
    if (from < 0 || to < 0) return "";
    const [top, end] = range(), far = looks === "msg" && (from < top || from >= end) ? " far" : "";
    const x1 = x(e[SEND]), x2 = x(e[RECV]), y1 = y(from), y2 = y(to), length = Math.hypot(x2 - x1, y2 - y1);
    if (x1 === x2 && y1 === y2) { // without delay to itself
      return `<path class="${looks}" d="M${x1} ${y1} c-9 -18 9 -18 0 0"/>`;
    }
    const back = Math.min(RADIUS / length, 0.5), cut = Math.max((gutter() - 4000 - x1) / (x2 - x1), 0) || 0;
    const tip = looks === "msg" ? ` marker-end="url(#head)"` : "";
    return `<line class="${looks}${far}" x1="${x1 + (x2 - x1) * cut}" y1="${y1 + (y2 - y1) * cut}" x2="${x2 - (x2 - x1) * back}" y2="${y2 - (y2 - y1) * back}"${tip}/>`;
  }
  const label = (e) => `${kind(e)}, LP ${nameOf(e[LANE])}, ${time(e[RECV])}` + (e[STAYED] ? "" : ", undone");
  const kinds = about.kinds.map((name) => name.replace(/(?:[\w.~-]+\/)+/g, "")); // without the paths of packages
  const kind = (e) => kinds[e[KIND]] || "event";
  function dot(e) {
    const at = x(e[RECV]), row = rowOf(e[LANE]);
    const n = e[UNDONE] ? `<text class="times" x="${at}" y="${y(row) - 6}">${e[UNDONE]}</text>` : "";
    const look = e[KIND] < 0 ? "k7" : "k" + (e[KIND] % 8);
    return `<circle class="ev ${look}${e[STAYED] ? "" : " hollow"}" data-id="${e[ID]}" cx="${at}" cy="${y(row)}" r="${RADIUS}"><title>${escape(label(e))}</title></circle>${n}`;
  }
  function counts(l) {
    const most = Math.log1p(Math.max(...l.counts, 1)), wide = ((shown.s.b - shown.s.a) / (state.b - state.a)) * inner() / shown.columns;
    const left = gutter() + ((shown.s.base - state.base + shown.s.a - state.a) / (state.b - state.a)) * inner();
    const bottom = y(rowOf(l.lane)) + ROW / 2 - 2;
    let d = "";
    l.counts.forEach((n, i) => {
      const x1 = left + i * wide;
      if (n && x1 + wide > gutter() && x1 < width()) d += `M${x1.toFixed(2)} ${bottom}v${(-(ROW - 5) * Math.log1p(n) / most).toFixed(2)}h${wide.toFixed(2)}V${bottom}z`;
    });
    return `<path class="counts" data-lane="${l.lane}" d="${d}"><title>${escape("LP " + l.name + ": " + plural(l.n, "event"))}</title></path>` +
      `<text class="number" x="${width() - 4}" y="${y(rowOf(l.lane)) - 4}">${l.n.toLocaleString("en")}</text>`;
  }
  function draw() {
    const w = width(), h = height(), g = gutter(), [from, to] = range(), known = new Map(shown.lanes.map((l) => [l.lane, l]));
    const lanes = [], messages = [], marks = [], buttons = [];
    for (let row = from; row < to; row++) {
      const lane = laneOf(row), l = known.get(lane), name = nameOf(lane), at = y(row), letters = Math.floor((g - 10) / 6.4);
      const text = names.has(lane) ? (name.length > letters ? name.slice(0, letters - 1) + "…" : name) : "";
      const chosen = state.chosen.has(lane);
      lanes.push(`<line class="lane" x1="${g}" x2="${w}" y1="${at}" y2="${at}"/>`,
        `<text class="name${chosen ? " chosen" : ""}" x="4" y="${at + 4}">${escape(text)}<title>${escape(name)}</title></text>`);
      buttons.push(`<button type="button" data-lane="${lane}" style="top:${at - ROW / 2}px" aria-pressed="${chosen}" aria-label="${escape("LP " + name)}" title="${escape("LP " + name)}"></button>`);
      if (!l) continue;
      if (l.counts) marks.push(counts(l));
      for (const e of l.marks || []) {
        if (x(e[RECV]) < g - RADIUS || x(e[RECV]) > w + RADIUS) continue;
        messages.push(arrow(e, "msg"));
        marks.push(dot(e));
      }
    }
    let way = "", ring = "";
    if (story) {
      way = story.effects.map((e) => arrow(e, "effect")).join("") + story.path.map((e, i) => (i + 1 < story.path.length ? arrow(e, "path") : "")).join("");
      for (const e of [...story.path, ...story.effects]) {
        if (rowOf(e[LANE]) >= 0 && x(e[RECV]) > g - RADIUS && x(e[RECV]) < w + RADIUS) marks.push(dot(e));
      }
      for (const e of story.path) {
        if (rowOf(e[LANE]) >= 0) ring += `<circle class="ring" data-path="${e[ID]}" cx="${x(e[RECV])}" cy="${y(rowOf(e[LANE]))}" r="${e === story.event ? 9 : 6.5}"/>`;
      }
    }
    picture.setAttribute("viewBox", `0 0 ${w} ${h}`);
    picture.innerHTML = `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0.5 8 4 0 7.5z"/></marker>` +
      `<clipPath id="inside"><rect x="${g - 6}" y="${AXIS - 2}" width="${w - g + 6}" height="${h - AXIS + 2}"/></clipPath><clipPath id="rows"><rect x="0" y="${AXIS - 2}" width="${w}" height="${h}"/></clipPath></defs>` +
      axis(w, h) + `<g clip-path="url(#rows)">${lanes.join("")}</g><g clip-path="url(#inside)">${outside(h)}${messages.join("")}${way}${marks.join("")}${ring}</g>`;
    const focused = document.activeElement && document.activeElement.parentNode === $("names") ? document.activeElement.dataset.lane : null;
    $("names").style.setProperty("--names", g + "px");
    $("names").innerHTML = buttons.join("");
    if (focused !== null) {
      const again = $("names").querySelector(`[data-lane="${focused}"]`);
      (again || view).focus({ preventScroll: true });
    }
    const tall = Math.min(rows() * ROW + AXIS, 8e6);
    $("tall").style.height = tall + "px";
    const wanted = (state.top / Math.max(rows() * ROW + AXIS - height(), 1)) * Math.max(tall - bar.clientHeight, 0);
    if (Math.abs(bar.scrollTop - wanted) > 1) bar.scrollTop = wanted;
    drawOverview();
    report(from, to);
  }
  function report(from, to) {
    const all = shown.lanes.reduce((n, l) => n + l.n, 0), dense = shown.lanes.filter((l) => l.counts).length;
    let text = problem + `LPs ${(to > from ? from + 1 : 0).toLocaleString("en")} to ${to.toLocaleString("en")} of ${plural(rows(), "LP")}: ${plural(all, "event")} in the stretch.`;
    if (dense) text += ` ${dense === shown.lanes.length ? "All" : dense} of these LPs have more than ${MOST} events and are drawn as counts: zoom in for the events and their arrows.`;
    if ($("status").textContent !== text) $("status").textContent = text;
    $("only-chosen").disabled = state.chosen.size === 0;
    $("only-path").disabled = $("near").disabled = $("whole-path").disabled = !story;
    $("all-lps").disabled = !state.lps;
  }
  function drawOverview() {
    const of = $("overview"), w = printing ? 690 : of.clientWidth, h = 40, n = about.overview.length, span = about.to - about.from;
    const most = Math.log1p(Math.max(...about.overview, 1)), at = (t) => (span > 0 ? ((t - about.from) / span) * w : 0);
    const d = about.overview.map((c, i) => (c ? `M${(i / n) * w} ${h}v${-(h - 2) * Math.log1p(c) / most}h${w / n}V${h}z` : "")).join("");
    const from = Math.min(Math.max(at(state.base + state.a), 0), w), to = Math.min(Math.max(at(state.base + state.b), 0), w);
    const has = source.has ? `<rect class="has" x="${at(source.has[0])}" y="0" width="${Math.max(at(source.has[1]) - at(source.has[0]), 1)}" height="${h}"/>` : "";
    of.setAttribute("viewBox", `0 0 ${w} ${h}`);
    of.innerHTML = `${has}<path class="all" d="${d}"/><rect class="here" x="${from}" y="0" width="${Math.max(to - from, 2)}" height="${h}"/>`;
  }

  // An event.
  async function select(id, move) {
    let found;
    try {
      found = await source.story(id);
    } catch (e) {
      $("panel").innerHTML = `<h2>Event</h2><p>${escape(e.message)}</p>`;
      return;
    }
    story = found;
    state.event = id;
    for (const [lane, name] of story.names) { names.set(lane, name); ids.set(idOf(name), lane); }
    let added = 0;
    if (state.lps) {
      for (const e of story.path) if (!state.lps.includes(e[LANE])) { state.lps.push(e[LANE]); added++; }
    }
    if (move) {
      show(story.event[RECV]);
      showLane(story.event[LANE]);
    }
    describe(added);
    change();
  }
  function deselect() {
    story = state.event = null;
    describe(0);
    change();
  }
  const jump = (e, text) => `<button type="button" data-event="${e[ID]}">${escape(text)}</button>`;
  const where = (e) => `${kind(e)} at ${time(e[RECV])}, LP ${nameOf(e[LANE])}` + (e[STAYED] ? "" : ", undone");
  function describe(added) {
    if (!story) {
      $("panel").innerHTML = "<h2>Event</h2><p>Choose an event: click on it, or press N in the chart.</p>";
      return;
    }
    const e = story.event, offset = state.base ? ` (${e[RECV] - state.base < 0 ? "−" : "+"}${Math.abs(e[RECV] - state.base).toPrecision(6)})` : "";
    const facts = [["LP", nameOf(e[LANE]) + (story.type ? " (" + story.type + ")" : "")], ["received", time(e[RECV]) + offset], ["sent", time(e[SEND]) + " by LP " + nameOf(e[SRC])],
      ["delay", String(e[RECV] - e[SEND])], ["real time", sheet.text(story.real) + " s"]];
    if (about.all) facts.push(["undone", e[STAYED] ? (e[UNDONE] ? plural(e[UNDONE], "execution") : "none") + " before the one that stayed" : plural(e[UNDONE], "execution") + ", none stayed"]);
    const table = [...facts, ...story.fields].map(([name, value]) => `<tr><th scope="row">${escape(name)}</th><td>${escape(value)}</td></tr>`).join("");
    let cause = "none: " + (e[SEND] <= 0 ? "Init or PreRun has sent it" : "the trace does not have it");
    if (story.path.length > 1) cause = jump(story.path[1], where(story.path[1]));
    else if (story.longer) cause = "not in this page";
    if (story.fit > 1) cause += about.exact ? ` <em>(${story.fit} events fit, which were undone)</em>` : ` <em>(${story.fit} events fit: a trace with --trace-exact knows which)</em>`;
    const effects = story.effects.map((of) => `<li>${jump(of, where(of))}</li>`).join("");
    const left = story.more ? `<p>and ${plural(story.more, "effect")} more</p>` : "";
    const elsewhere = story.elsewhere > 0 ? `<p>and ${story.elsewhere} not in this page</p>` : "";
    const many = 200, path = story.path.slice(0, many).map((of) => `<li>${jump(of, where(of))}</li>`).join("");
    const rest = story.path.length > many ? `<p>and ${plural(story.path.length - many, "event")} more, to ${jump(story.path.at(-1), where(story.path.at(-1)))}</p>` : "";
    $("panel").innerHTML = `<h2>Event: ${escape(kind(e))}</h2>` + (added ? `<p>${plural(added, "LP")} added, which the path needs.</p>` : "") +
      `<table><tbody>${table}</tbody></table><h3>Cause</h3><p id="cause">${cause}</p><h3>Effects: ${story.effects.length + story.more}</h3><ul id="effects">${effects}</ul>${left}${elsewhere}` +
      `<h3>Path to the first cause: ${plural(story.path.length, "event")}</h3><ol id="path">${path}</ol>${rest}` + (story.longer ? "<p>The path goes on beyond these.</p>" : "") +
      `<p><button type="button" id="before" ${story.before < 0 ? "disabled" : `data-event="${story.before}"`}>Previous event of this LP</button> · <button type="button" id="after" ${story.after < 0 ? "disabled" : `data-event="${story.after}"`}>Next event of this LP</button></p>`;
  }
  function beside(which) { // the event before or after the chosen one, or the first that is seen
    if (story) {
      if (story[which] >= 0) select(story[which], true);
      return;
    }
    const first = shown.lanes.flatMap((l) => l.marks || [])[0];
    if (first) select(first[ID], true);
  }

  // Which LPs.
  function only(lanes) {
    state.lps = lanes;
    state.top = 0;
    change();
  }
  let asked = 0;
  async function find() {
    const text = $("find").value.trim(), mine = ++asked;
    const list = text ? await source.search(text) : [];
    if (mine !== asked) return;
    for (const l of list) { names.set(l.lane, l.name); ids.set(idOf(l.name), l.lane); }
    $("found").innerHTML = list.map((l) => `<li><button type="button" data-found="${l.lane}">${escape(l.name)} · ${plural(l.n, "event")}</button></li>`).join("") ||
      (text ? `<li>no LP has this id or name in the ${data.excerpt ? "page" : "trace"}</li>` : "");
  }
  function take(lane) {
    state.chosen.add(lane);
    if (state.lps && !state.lps.includes(lane)) state.lps.push(lane);
    showLane(lane);
    change();
  }

  // What the reader does.
  const click = (id, f) => $(id).addEventListener("click", f);
  click("in", () => zoom(0.5, 0.5));
  click("out", () => zoom(2, 0.5));
  click("earlier", () => pan(-0.25));
  click("later", () => pan(0.25));
  click("whole", () => { setWhole(); change(); });
  click("near", () => {
    show(story.event[RECV]);
    showLane(story.event[LANE]);
    change();
  });
  click("whole-path", () => {
    const from = story.path.at(-1)[RECV], to = story.event[RECV], margin = (to - from) * 0.05 || (state.b - state.a) / 2;
    Object.assign(state, { a: from - state.base - margin, b: to - state.base + margin });
    change();
  });
  click("only-chosen", () => only([...state.chosen]));
  click("all-lps", () => only(null));
  click("only-path", () => {
    const lanes = [];
    for (const e of story.path.toReversed()) for (const lane of [e[SRC], e[LANE]]) if (!lanes.includes(lane)) lanes.push(lane);
    only(lanes);
  });
  $("find").addEventListener("input", find);
  $("find").addEventListener("keydown", (e) => {
    const first = $("found").querySelector("button");
    if (e.key === "Enter" && first) first.click();
  });
  $("found").addEventListener("click", (e) => { if (e.target.dataset.found) take(Number(e.target.dataset.found)); });
  $("names").addEventListener("click", (e) => {
    const lane = Number(e.target.dataset.lane);
    if (e.target.dataset.lane === undefined) return;
    if (!state.chosen.delete(lane)) state.chosen.add(lane);
    change();
  });
  $("panel").addEventListener("click", (e) => { if (e.target.dataset.event) select(Number(e.target.dataset.event), true); });
  $("overview").addEventListener("click", (e) => {
    const box = $("overview").getBoundingClientRect(), half = (state.b - state.a) / 2;
    const to = about.from + ((e.clientX - box.left) / box.width) * (about.to - about.from) - state.base;
    state.a = to - half;
    state.b = to + half;
    change();
  });
  bar.addEventListener("scroll", () => {
    const most = Math.max(bar.scrollHeight - bar.clientHeight, 1), wanted = (bar.scrollTop / most) * Math.max(rows() * ROW + AXIS - height(), 0);
    if (Math.abs(wanted - state.top) > 1.5) { state.top = wanted; change(); }
  });
  const fraction = (e) => Math.min(Math.max((e.clientX - view.getBoundingClientRect().left - gutter()) / inner(), 0), 1);
  view.addEventListener("wheel", (e) => {
    e.preventDefault();
    const names = e.clientX - view.getBoundingClientRect().left < gutter(), down = e.deltaY || e.deltaX;
    if (e.shiftKey || names) { state.top += down; change(); }
    else if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan(e.deltaX / inner());
    else zoom(1.0015 ** e.deltaY, fraction(e));
  }, { passive: false });
  let grip = null;
  view.addEventListener("pointerdown", (e) => {
    if (e.button === 0 && !e.target.closest("button")) grip = { x: e.clientX, y: e.clientY, a: state.a, b: state.b, base: state.base, top: state.top, moved: false, id: e.target.dataset.id };
  });
  addEventListener("pointermove", (e) => {
    if (!grip) return;
    const dx = e.clientX - grip.x, dy = e.clientY - grip.y;
    if (!grip.moved && Math.hypot(dx, dy) < 4) return;
    grip.moved = true;
    view.classList.add("moving");
    const by = (dx / inner()) * (grip.b - grip.a);
    Object.assign(state, { base: grip.base, a: grip.a - by, b: grip.b - by, top: grip.top - dy });
    change();
  });
  addEventListener("pointerup", () => {
    if (grip && !grip.moved && grip.id !== undefined) select(Number(grip.id), false);
    grip = null;
    view.classList.remove("moving");
  });
  addEventListener("pointercancel", () => { grip = null; });
  const keys = {
    ArrowLeft: () => pan(-0.1), ArrowRight: () => pan(0.1), ArrowUp: () => { state.top -= ROW; change(); }, ArrowDown: () => { state.top += ROW; change(); },
    PageUp: () => { state.top -= height() - AXIS; change(); }, PageDown: () => { state.top += height() - AXIS; change(); },
    "+": () => zoom(0.5, middle()), "=": () => zoom(0.5, middle()), "-": () => zoom(2, middle()), 0: () => $("whole").click(), Home: () => $("whole").click(),
    n: () => beside("after"), p: () => beside("before"), Escape: deselect,
    c: () => { if (story && story.path.length > 1) select(story.path[1][ID], true); },
    e: () => { if (story && story.effects.length) select(story.effects[0][ID], true); },
  };
  const middle = () => { const at = story ? place(state, story.event[RECV]) : 0.5; return at >= 0 && at <= 1 ? at : 0.5; };
  view.addEventListener("keydown", (e) => {
    const f = keys[e.key] || keys[e.key.toLowerCase()];
    if (!f || e.ctrlKey || e.metaKey || e.altKey || e.target !== view && !e.key.startsWith("Arrow") && e.key.length > 1) return;
    e.preventDefault();
    f();
  });

  // Files.
  click("svg", () => sheet.svg(picture, "events.svg"));
  click("csv", async () => {
    const most = 200000, [from, to] = range(), lanes = [];
    for (let row = from; row < to; row++) lanes.push(laneOf(row));
    const found = await source.view(lanes, { base: state.base, a: state.a, b: state.b }, 1, Math.floor(most / Math.max(lanes.length, 1)), true);
    const table = [["event", "lp", "received", "sent", "sender", "kind", "undone", "stayed", "fields"]], left = [];
    for (const l of found) {
      if (l.counts) left.push(l.name);
      for (const e of l.marks || []) {
        table.push([e[ID], nameOf(e[LANE]), e[RECV], e[SEND], nameOf(e[SRC]), kind(e), e[UNDONE], e[STAYED], (e[FIELDS] || []).join("; ")]);
      }
    }
    sheet.save("events.csv", "text/csv", sheet.csv(table));
    if (left.length) $("status").textContent = "The CSV lacks LPs with too many events: " + left.join(", ") + ". Zoom in, and make another.";
  });

  // The beginning.
  async function begin() {
    const looks = kinds.map((name, i) => `<span><svg aria-hidden="true"><circle class="k${i % 8}" cx="7" cy="7" r="4.5"/></svg> ${escape(name)}</span>`).join("");
    const hollow = about.all ? `<span><svg aria-hidden="true"><circle class="hollow" stroke="currentColor" cx="7" cy="7" r="4.5"/></svg> all executions were undone</span><span>a number: how often it was undone</span>` : "";
    $("legend").innerHTML = looks + hollow + (kinds.length > 8 ? "<span>colours repeat after eight</span>" : "");
    $("about").innerHTML = escape(data.text).replace(/\{\{(.*?)\}\}/g, (all, word) => `<code class="${word.length < 20 ? "word" : ""}">${word}</code>`);
    setFirst();
    const at = sheet.address(), given = (name) => at.has(name) && isFinite(Number(at.get(name)));
    if (given("a") && given("b") && Number(at.get("b")) > Number(at.get("a"))) {
      Object.assign(state, { base: Number(at.get("base")) || 0, a: Number(at.get("a")), b: Number(at.get("b")) });
    }
    if (at.get("lps")) {
      const lanes = [];
      for (const id of at.get("lps").split(",").slice(0, 1000)) {
        const found = (await source.search(id)).find((l) => idOf(l.name) === id);
        if (found && !lanes.includes(found.lane)) { lanes.push(found.lane); names.set(found.lane, found.name); }
      }
      if (lanes.length) state.lps = lanes;
    }
    describe(0);
    change();
    if (given("event")) await select(Number(at.get("event")), !given("a"));
  }
  const on = (is) => { printing = is; draw(); };
  addEventListener("beforeprint", () => on(true));
  addEventListener("afterprint", () => on(false));
  matchMedia("print").addEventListener("change", (e) => on(e.matches));
  addEventListener("resize", change);
  sheet.chart = { state, shown: () => shown, story: () => story, x, y: (lane) => y(rowOf(lane)), source };
  begin();
})();
