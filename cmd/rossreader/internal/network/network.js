// The controls of the picture: value, time, what is selected, files, the address, and intervals that come while the run goes on.
(function () {
  "use strict";
  const $ = (id) => document.getElementById(id), nodes = net.nodes, links = net.links, frames = net.frames;
  const make = (tag, props, ...children) => { const e = Object.assign(document.createElement(tag), props || {}); e.append(...children); return e; };
  const svgMake = (tag, props, text) => { const e = document.createElementNS("http://www.w3.org/2000/svg", tag); for (const [k, v] of Object.entries(props)) e.setAttribute(k, v); if (text !== undefined) e.textContent = text; return e; };
  const some = nodes.at.some((a) => a >= 0), grouped = new Set(nodes.group.filter((g) => g > 0)).size > 1;
  const many = 4000, fewLinks = 1500, rows = 12, listed = 60;
  const attachedKinds = [...new Set(nodes.kind.filter((_, i) => nodes.at[i] >= 0))].map((k) => sheet.data.kinds[k] + "s");
  const state = { frame: -1, value: net.data.value, cls: -1, attached: net.count.links <= fewLinks, collapsed: false, open: new Set(), greatest: false, link: -1, node: -1, group: -1, scale: 1, follow: net.data.live };
  let timer = null, drawn = "", ended = !net.data.live, fitted = false;

  // The scale is that of shares, or up to the greatest value of the run.
  function rescale() {
    const most = net.worst(state.value).most;
    state.scale = net.values[state.value].share && !state.greatest ? 1 : most > 0 ? most : 1;
  }
  function rebuild() {
    net.choose(state.cls, state.attached);
    picture.build(state.collapsed, state.open, state.attached);
    rescale();
  }

  // go shows an interval; the slider follows the end of a run that goes on only if it is there.
  function go(frame, by) {
    state.frame = Math.min(Math.max(frame, 0), frames.length - 1);
    if (by) state.follow = !ended && state.frame === frames.length - 1;
    show();
  }
  function show() {
    if (state.frame < 0) return;
    const at = $("at"), here = net.of(state.frame, state.value), v = net.values[state.value];
    at.max = frames.length - 1;
    at.value = state.frame;
    at.setAttribute("aria-valuetext", net.span(state.frame));
    $("when").textContent = "Virtual time " + net.span(state.frame);
    $("sums").textContent = here.link < 0 ? "no values" : "mean " + net.text(state.value, here.mean) + ", greatest " + net.text(state.value, here.most) + " (" + net.name(here.link) + ")";
    $("what").textContent = v.title;
    $("about").textContent = v.title + ": " + v.about + "." + (state.collapsed ? " A mark that stands for a group, and a link between groups, has the greatest value of its links." : " A node has the greatest value of the links that lead away from it.") + " A link bends to its right.";
    picture.canvas.setAttribute("aria-label", "Network of " + picture.marks().length + " marks and " + picture.edges().length + " links. " + v.title + ": " + $("sums").textContent + ". The tables have the numbers.");
    picture.show(state);
    strip();
    legend();
    top();
    detail();
    remember();
  }

  // path returns the line of numbers by interval, with gaps where there are none.
  function path(f, w, h, most, pad) {
    let d = "", pen = false;
    for (let i = 0; i < frames.length; i++) {
      const y = f(i);
      if (y !== y) { pen = false; continue; }
      d += (pen ? "L" : "M") + across(i, w, pad).toFixed(1) + " " + (h - 3 - (h - 6) * Math.min(y / (most || 1), 1)).toFixed(1);
      pen = true;
    }
    return d;
  }
  const across = (i, w, pad) => (frames.length < 2 ? w / 2 : pad + (w - 2 * pad) * i / (frames.length - 1));
  function strip() {
    const s = $("strip"), w = s.clientWidth || 1, h = s.clientHeight || 1, most = net.worst(state.value).most;
    s.setAttribute("viewBox", "0 0 " + w + " " + h);
    s.setAttribute("preserveAspectRatio", "none");
    const key = [state.value, state.cls, state.attached, frames.length, w, h].join();
    if (key === drawn) return;
    drawn = key;
    s.replaceChildren(svgMake("rect", { class: "ground", width: w, height: h }),
      svgMake("path", { class: "mean", d: path((i) => net.of(i, state.value).mean, w, h, most, 4) }),
      svgMake("path", { class: "greatest", d: path((i) => net.of(i, state.value).most, w, h, most, 4) }));
    const about = $("strip-about");
    about.replaceChildren(make("span", { className: "key" }), " greatest and ", make("span", { className: "key dashed" }), " mean of the links shown, up to " + net.text(state.value, most) + ". " + frames.length + " intervals.");
  }
  const ticks = () => [0, 0.25, 0.5, 0.75, 1].map((t) => [t, net.text(state.value, t * state.scale)]);
  function legend() {
    const s = $("legend"), wide = s.clientWidth || 480, w = Math.min(wide, 480), ramp = picture.ramp(), step = (w - 70) / ramp.length;
    s.replaceChildren(...ramp.map((c, i) => svgMake("rect", { x: 10 + i * step, y: 4, width: step + 0.5, height: 14, fill: c })),
      ...ticks().map(([t, text]) => svgMake("text", { x: 10 + t * (w - 70), y: 34, "text-anchor": t === 0 ? "start" : "middle" }, text)));
    s.setAttribute("viewBox", "0 0 " + wide + " 46");
    s.setAttribute("preserveAspectRatio", "xMinYMin meet");
    s.setAttribute("aria-label", "Colours and widths from 0, thin, to " + net.text(state.value, state.scale) + ", thick");
  }
  const linkButton = (i, text) => { const b = make("button", { type: "button" }, text || net.name(i)); b.addEventListener("click", () => select({ link: i })); return b; };
  function top() {
    const v = net.values[state.value], body = $("top").querySelector("tbody");
    $("top-value").textContent = v.title;
    keepFocus(body, () => body.replaceChildren(...net.top(state.frame, state.value, rows).map((i) => make("tr", {},
      make("th", { scope: "row" }, linkButton(i)), make("td", {}, sheet.data.classes[links.class[i]]), make("td", { className: "n" }, net.text(state.value, net.at(state.frame, state.value, i)))))));
  }
  // keepFocus leaves the focus at the same place of a list that is made anew.
  function keepFocus(part, change) {
    const at = [...part.querySelectorAll("button")].indexOf(document.activeElement);
    change();
    const now = part.querySelectorAll("button");
    if (at >= 0 && now.length) now[Math.min(at, now.length - 1)].focus({ preventScroll: true });
  }

  // detail shows the link, node or group that is selected: its figures, and its course.
  function detail() {
    const part = $("detail");
    keepFocus(part, () => {
      if (state.link >= 0) ofLink(part, state.link);
      else if (state.node >= 0) ofNode(part, state.node);
      else if (state.group >= 0) ofGroup(part, state.group);
      else part.replaceChildren(make("h2", {}, "Nothing is selected"), make("p", { className: "hint" }, "Click on a link or node, or press one of the buttons above."));
    });
  }
  const whom = () => [state.link, state.node, state.group].join();
  function figures(some) {
    const body = net.values.map((v, n) => {
      const here = net.most(state.frame, n, some);
      let best = { frame: -1, value: NaN };
      net.course(whom(), n, some).forEach((x, f) => { if (x > best.value || (best.frame < 0 && x === x)) best = { frame: f, value: x }; });
      const to = make("button", { type: "button" }, best.frame < 0 ? "" : net.span(best.frame));
      to.addEventListener("click", () => go(best.frame, true));
      return make("tr", {}, make("th", { scope: "row" }, v.title), make("td", { className: "n" }, net.text(n, here.value)), make("td", { className: "n" }, net.text(n, best.value)), make("td", {}, ...(best.frame < 0 ? [] : [to])));
    });
    return make("div", { className: "scroll figures", tabIndex: 0, role: "region", ariaLabel: "Figures" }, make("table", {}, make("thead", {}, make("tr", {}, ...["Value", "Now", "Greatest", "At"].map((t, i) => make("th", { scope: "col", className: i === 1 || i === 2 ? "n" : "" }, t)))), make("tbody", {}, ...body)));
  }
  function course(some, what) {
    const s = svgMake("svg", { class: "course", role: "img" }), h = 164;
    const all = net.course(whom(), state.value, some), most = all.reduce((a, x) => (x > a ? x : a), 0);
    s.setAttribute("aria-label", net.values[state.value].title + " of " + what + " over virtual time, at most " + net.text(state.value, most));
    requestAnimationFrame(() => {
      const w = s.clientWidth;
      if (!w) return;
      s.setAttribute("viewBox", "0 0 " + w + " " + h);
      const g = svgMake("g", { transform: "translate(0 14)" });
      s.append(g, svgMake("text", { x: 4, y: 11 }, net.text(state.value, most)));
      g.append(svgMake("path", { class: "axis", d: "M4 127H" + (w - 4) }), svgMake("path", { class: "line", d: path((f) => all[f], w, 130, most, 4) }),
        svgMake("path", { class: "now", d: "M" + across(state.frame, w, 4) + " 0V130" }),
        svgMake("text", { x: 4, y: 144 }, net.when(frames[0].from)), svgMake("text", { x: w - 4, y: 144, "text-anchor": "end" }, net.when(frames[frames.length - 1].to) + net.unit));
    });
    s.addEventListener("click", (e) => go(Math.round((e.offsetX - 4) / Math.max(s.clientWidth - 8, 1) * (frames.length - 1)), true));
    return s;
  }
  const courseTitle = () => make("p", { className: "hint" }, net.values[state.value].title + " over virtual time. A click goes to the interval.");
  function ofLink(part, i) {
    const node = (n) => { const b = make("button", { type: "button" }, nodes.name[n]); b.addEventListener("click", () => select({ node: n })); return b; };
    const known = [["class", sheet.data.classes[links.class[i]]]];
    if (links.capacity[i]) known.push(["capacity", sheet.text(links.capacity[i]), links.capacity_unit]);
    if (links.room[i]) known.push(["room", sheet.text(links.room[i]), links.room_unit]);
    part.replaceChildren(make("h2", {}, "Link " + net.name(i)), make("p", {}, "from ", node(links.from[i]), " to ", node(links.to[i])),
      make("p", { className: "hint" }, known.map((k) => k.filter(Boolean).join(" ")).join(", ")), figures([i]), courseTitle(), course([i], net.name(i)));
  }
  function linkTable(some, title) {
    const all = net.top(state.frame, state.value, Infinity, some), rest = some.filter((i) => !all.includes(i)), order = all.concat(rest);
    return [make("h2", {}, title), make("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: title }, make("table", {}, make("tbody", {}, ...order.slice(0, listed).map((i) => make("tr", {}, make("th", { scope: "row" }, linkButton(i)), make("td", { className: "n" }, net.text(state.value, net.at(state.frame, state.value, i)))))))),
      ...(order.length > listed ? [make("p", { className: "hint" }, "and " + (order.length - listed) + " more")] : [])];
  }
  function ofNode(part, n) {
    const own = net.out[n];
    const more = sheet.data.kinds[nodes.kind[n]] + ", LP " + nodes.lp[n] + (nodes.group[n] ? ", group " + nodes.group[n] : "") + (nodes.at[n] >= 0 ? ", at " + nodes.name[nodes.at[n]] : "");
    part.replaceChildren(make("h2", {}, nodes.name[n]), make("p", { className: "hint" }, more + ". The figures are the greatest of its " + own.length + " links that lead away."),
      figures(own), courseTitle(), course(own, nodes.name[n]), ...linkTable(own, "Away from it"), ...linkTable(net.into[n], "To it"));
  }
  function ofGroup(part, g) {
    const inner = [], away = [];
    for (let i = 0; i < net.count.links; i++) if (nodes.group[links.from[i]] === g) (nodes.group[links.to[i]] === g ? inner : away).push(i);
    const open = make("button", { type: "button" }, state.open.has(g) ? "As one mark" : "Show its nodes");
    open.addEventListener("click", () => { if (state.open.has(g)) state.open.delete(g); else state.open.add(g); rebuild(); show(); });
    part.replaceChildren(make("h2", {}, "Group " + g), make("p", {}, open), make("p", { className: "hint" }, nodes.group.filter((x) => x === g).length + " nodes. The figures are the greatest of its " + inner.length + " links within it."),
      figures(inner), courseTitle(), course(inner, "group " + g), ...linkTable(away, "Away from it"));
  }

  // select shows a link, node or group. What is hidden becomes visible.
  function select(what) {
    state.link = what.link === undefined ? -1 : what.link;
    state.node = what.node === undefined ? -1 : what.node;
    state.group = what.group === undefined ? -1 : what.group;
    const ends = state.link >= 0 ? [links.from[state.link], links.to[state.link]] : state.node >= 0 ? [state.node] : [];
    let hidden = false;
    for (const n of ends) {
      if (nodes.at[n] >= 0 && !state.attached) { state.attached = hidden = true; $("attached").checked = true; }
      if (state.collapsed && nodes.group[n] && !state.open.has(nodes.group[n])) { state.open.add(nodes.group[n]); hidden = true; }
    }
    if (state.link >= 0 && state.cls >= 0 && links.class[state.link] !== state.cls) { state.cls = -1; $("class").value = "-1"; hidden = true; }
    $("said").textContent = state.link >= 0 ? "Link " + net.name(state.link) : state.node >= 0 ? nodes.name[state.node] : state.group >= 0 ? "Group " + state.group : "Nothing is selected";
    if (hidden) rebuild();
    if (ends.length) picture.centre(ends.reduce((s, n) => s + nodes.x[n], 0) / ends.length, ends.reduce((s, n) => s + nodes.y[n], 0) / ends.length);
    show();
  }

  function remember() {
    const l = picture.view();
    sheet.address({
      t: frames[state.frame] && !state.follow ? net.when(frames[state.frame].to) : null, value: net.values[state.value].name, links: state.cls < 0 ? null : sheet.data.classes[state.cls],
      attached: some ? Number(state.attached) : null, groups: grouped ? Number(state.collapsed) : null, open: [...state.open].join("."), greatest: state.greatest ? 1 : null,
      link: state.link < 0 ? null : state.link, node: state.node < 0 ? null : nodes.lp[state.node], group: state.group < 0 ? null : state.group,
      view: fitted ? null : [l.k, l.x, l.y].map((x) => Number(x.toFixed(1))).join("_"),
    });
  }
  function recall() {
    const a = sheet.address();
    const whole = (name, low, high) => { const x = Number(a.get(name)); return a.get(name) !== null && Number.isInteger(x) && x >= low && x <= high ? x : -1; };
    const value = net.values.findIndex((v) => v.name === a.get("value"));
    if (value >= 0) state.value = value;
    state.cls = sheet.data.classes.indexOf(a.get("links"));
    if (a.has("attached")) state.attached = a.get("attached") === "1";
    state.collapsed = grouped && (a.has("groups") ? a.get("groups") === "1" : net.count.links > many);
    for (const g of (a.get("open") || "").split(".")) if (Number(g) > 0) state.open.add(Number(g));
    state.greatest = a.get("greatest") === "1";
    state.link = whole("link", 0, net.count.links - 1);
    state.node = a.has("node") ? nodes.lp.indexOf(Number(a.get("node"))) : -1;
    state.group = whole("group", 1, 1e9);
    if (a.has("t")) {
      const t = Number(a.get("t")), f = frames.findIndex((x) => Number(net.when(x.to)) >= t);
      if (f >= 0) { state.frame = f; state.follow = false; }
    }
    const l = (a.get("view") || "").split("_").map(Number);
    return l.length === 3 && l.every(isFinite) && l[0] > 0 ? { k: l[0], x: l[1], y: l[2] } : null;
  }

  // Files.
  function csv() {
    const f = frames[state.frame], unit = (v) => (v.share ? "share" : v.unit);
    const table = [["from", "to", "sender", "receiver", "link", "class", ...net.values.map((v) => v.name + (unit(v) ? " (" + unit(v) + ")" : ""))]];
    for (const i of net.list()) table.push([f.from, f.to, nodes.lp[links.from[i]], nodes.lp[links.to[i]], net.name(i), sheet.data.classes[links.class[i]], ...net.values.map((_, v) => net.exact(net.at(state.frame, v, i)))]);
    return sheet.csv(table);
  }
  const fileName = (end) => [net.data.name || "network", net.values[state.value].name, net.when(frames[state.frame].to)].join("-").replace(/[^\w.-]/g, "_") + end;
  function svg() {
    const w = 420, ramp = picture.ramp(), step = (w - 70) / ramp.length;
    const parts = ramp.map((c, i) => '<rect x="' + (12 + i * step).toFixed(1) + '" y="4" width="' + (step + 0.5).toFixed(1) + '" height="14" fill="' + c + '"/>').concat(ticks().map(([t, text]) => '<text x="' + (12 + t * (w - 70)).toFixed(1) + '" y="34" text-anchor="' + (t === 0 ? "start" : "middle") + '">' + text + "</text>"));
    return picture.svg(document.querySelector("h1").textContent, net.values[state.value].title + ", virtual time " + net.span(state.frame), parts.join(""));
  }
  $("csv").addEventListener("click", () => sheet.save(fileName(".csv"), "text/csv", csv()));
  $("svg").addEventListener("click", () => sheet.save(fileName(".svg"), "image/svg+xml", svg()));

  // Controls.
  function play(on) {
    clearInterval(timer);
    timer = null;
    if (on && frames.length > 1) {
      if (state.frame === frames.length - 1) go(0, true);
      timer = setInterval(() => { go(state.frame + 1, true); if (state.frame === frames.length - 1) play(false); }, 150);
    }
    $("play").textContent = timer ? "Pause" : "Play";
  }
  $("play").addEventListener("click", () => play(!timer));
  $("at").addEventListener("input", () => { play(false); go(Number($("at").value), true); });
  $("value").append(...net.values.map((v, i) => make("option", { value: i }, v.title)));
  $("value").addEventListener("change", () => { state.value = Number($("value").value); rescale(); show(); });
  $("class").append(make("option", { value: -1 }, "all"), ...sheet.data.classes.map((c, i) => make("option", { value: i }, c)));
  $("class").addEventListener("change", () => { state.cls = Number($("class").value); rebuild(); show(); });
  for (const [id, name, on] of [["attached", "attached", some], ["groups", "collapsed", grouped], ["greatest", "greatest", net.values.some((v) => v.share)]]) {
    $(id).closest("label").hidden = !on;
    $(id).addEventListener("change", () => { state[name] = $(id).checked; if (name === "collapsed") state.open.clear(); rebuild(); if (fitted && name !== "greatest") picture.fit(); show(); });
  }
  $("attached-name").textContent = attachedKinds.join(", ") || "attached nodes";
  $("names").append(...nodes.name.slice(0, 5000).map((n) => make("option", { value: n })));
  $("search").addEventListener("change", () => {
    const word = $("search").value.trim().toLowerCase();
    if (!word) return;
    let n = nodes.name.findIndex((x) => x.toLowerCase() === word);
    if (n < 0) n = nodes.name.findIndex((x) => x.toLowerCase().includes(word));
    if (n >= 0) select({ node: n });
    $("note").textContent = n >= 0 ? note : "No node is called " + $("search").value + ".";
  });
  $("worst-now").addEventListener("click", () => { const i = net.of(state.frame, state.value).link; if (i >= 0) select({ link: i }); });
  $("worst-ever").addEventListener("click", () => { const w = net.worst(state.value); if (w.link >= 0) { play(false); go(w.frame, true); select({ link: w.link }); } });
  const moved = () => { fitted = false; remember(); };
  $("in").addEventListener("click", () => { picture.zoom(1.4); moved(); });
  $("out").addEventListener("click", () => { picture.zoom(1 / 1.4); moved(); });
  $("fit").addEventListener("click", () => { fitted = true; picture.fit(); picture.draw(); remember(); });
  const canvas = picture.canvas, down = new Map();
  let far = 0, travelled = 0;
  canvas.addEventListener("keydown", (e) => {
    const step = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[e.key];
    if (step) picture.pan(...step); else if (e.key === "+" || e.key === "=") picture.zoom(1.25); else if (e.key === "-") picture.zoom(0.8); else return;
    e.preventDefault();
    moved();
  });
  canvas.addEventListener("wheel", (e) => { e.preventDefault(); picture.zoom(Math.exp(-e.deltaY * 0.0015), e.offsetX, e.offsetY); moved(); }, { passive: false });
  const apart = () => { const [a, b] = [...down.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
  canvas.addEventListener("pointerdown", (e) => {
    canvas.setPointerCapture(e.pointerId);
    down.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    if (down.size === 1) travelled = 0; else far = apart();
  });
  canvas.addEventListener("pointermove", (e) => {
    const was = down.get(e.pointerId);
    if (!was) return;
    const dx = e.offsetX - was.x, dy = e.offsetY - was.y;
    travelled += Math.abs(dx) + Math.abs(dy);
    down.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    if (down.size === 1 && travelled > 4) { canvas.classList.add("drag"); picture.pan(dx, dy); moved(); }
    if (down.size === 2) { const [a, b] = [...down.values()], now = apart(); picture.zoom(now / (far || now), (a.x + b.x) / 2, (a.y + b.y) / 2); far = now; moved(); }
  });
  const lift = (e) => { down.delete(e.pointerId); canvas.classList.remove("drag"); };
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointerup", (e) => {
    const one = down.size === 1;
    lift(e);
    if (!one || travelled > 4) return;
    const hit = picture.hit(e.offsetX, e.offsetY);
    if (!hit) select({});
    else if (hit.mark) select(hit.mark.group ? { group: hit.mark.group } : { node: hit.mark.node });
    else select({ link: net.most(state.frame, state.value, hit.edge.links).link >= 0 ? net.most(state.frame, state.value, hit.edge.links).link : hit.edge.links[0] });
  });
  sheet.onTheme(() => { picture.colours(); if (state.frame >= 0) show(); });
  addEventListener("resize", () => { if (fitted) picture.fit(); if (state.frame >= 0) show(); });

  // What comes while the run goes on.
  let note = "";
  function say(chunk) {
    note = [!net.data.live ? "" : chunk.ended ? "The run has ended" + (chunk.state ? ": " + chunk.state : "") + ". All intervals are here." : frames.length ? "The run goes on; " + frames.length + " intervals so far." : "No interval has come yet. The run writes its files when its buffers are full: see --buffer-size and --buffer-free.", chunk.note].filter(Boolean).join(" ");
    if ($("note").textContent !== note) $("note").textContent = note;
  }
  async function more() {
    try {
      const answer = await fetch("data?from=" + frames.length);
      if (!answer.ok) { $("note").textContent = await answer.text(); return; }
      const chunk = await answer.json(), added = await net.take(chunk);
      ended = chunk.ended;
      say(chunk);
      if (!added) return;
      if (state.frame < 0) begin(); else { rescale(); if (state.follow) go(frames.length - 1); else show(); }
    } catch (e) {
      $("note").textContent = "The server does not answer.";
    } finally {
      if (!ended) setTimeout(more, 1000);
    }
  }
  function begin() {
    const look = recall();
    rebuild();
    $("value").value = state.value;
    $("class").value = state.cls;
    $("attached").checked = state.attached;
    $("groups").checked = state.collapsed;
    $("greatest").checked = state.greatest;
    if (look) picture.look(look); else { fitted = true; picture.fit(); }
    go(state.frame < 0 ? (state.follow ? frames.length - 1 : 0) : state.frame);
    document.body.dataset.ready = "1";
  }
  net.take(net.data.chunk).then(() => {
    ended = net.data.chunk.ended || !net.data.live;
    say(net.data.chunk);
    if (frames.length) begin();
    if (!ended) setTimeout(more, 1000);
  });
})();
