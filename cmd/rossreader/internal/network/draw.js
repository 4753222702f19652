// The picture: marks and edges of what is shown, on a canvas or as SVG; zoom, and what is under the pointer.
const picture = (function () {
  "use strict";
  const nodes = net.nodes, links = net.links, canvas = document.getElementById("network");
  const steps = 24, light = ["#c3cad3", "#e2a03a", "#c2402f", "#4f0d45"], dark = ["#4a525d", "#9a4585", "#f0734e", "#fff0a0"];
  let marks = [], edges = [], view = { k: 1, x: 0, y: 0 }, box = null, state = null, ramp = [], moved = null, middle = 0;

  const mix = (a, b, t) => "#" + [1, 3, 5].map((i) => Math.round(parseInt(a.slice(i, i + 2), 16) * (1 - t) + parseInt(b.slice(i, i + 2), 16) * t).toString(16).padStart(2, "0")).join("");
  function colours() {
    const stops = document.documentElement.dataset.theme === "dark" ? dark : light;
    ramp = Array.from({ length: steps }, (_, i) => {
      const t = i / (steps - 1) * (stops.length - 1), n = Math.min(Math.floor(t), stops.length - 2);
      return mix(stops[n], stops[n + 1], t - n);
    });
  }

  // build makes marks and edges. Groups that are collapsed have one mark, and the links between two marks one edge.
  function build(collapsed, open, attached) {
    const of = new Map(), groups = new Map(), joined = new Map();
    marks = [];
    edges = [];
    function mark(n) {
      const g = nodes.group[n];
      if (!collapsed || g === 0 || open.has(g)) {
        if (!of.has(n)) {
          const m = { node: n, group: 0, x: nodes.x[n], y: nodes.y[n], name: nodes.name[n], links: net.out[n].filter(net.shown), attached: nodes.at[n] >= 0 };
          of.set(n, m);
          marks.push(m);
        }
        return of.get(n);
      }
      if (!groups.has(g)) {
        const m = { node: -1, group: g, x: 0, y: 0, name: "group " + g, links: [], number: 0 };
        groups.set(g, m);
        marks.push(m);
      }
      return groups.get(g);
    }
    for (let n = 0; n < net.count.nodes; n++) {
      if (nodes.at[n] >= 0 && !attached) continue;
      const m = mark(n);
      if (m.group && nodes.at[n] < 0) { m.x += nodes.x[n]; m.y += nodes.y[n]; m.number++; }
    }
    for (const m of groups.values()) { m.x /= m.number || 1; m.y /= m.number || 1; }
    for (const i of net.list()) {
      const a = mark(links.from[i]), b = mark(links.to[i]);
      if (a === b) { a.links.push(i); continue; }
      edge(a, b, i, joined);
    }
    for (const e of edges) shape(e);
    middle = marks.reduce((s, m) => s + m.x, 0) / (marks.length || 1);
  }
  // edge adds a link to the edge of two marks: one of its own between nodes, the common one if a mark is a group.
  function edge(a, b, i, joined) {
    const inner = joined.get(a) || new Map();
    joined.set(a, inner);
    const same = inner.get(b) || [];
    inner.set(b, same);
    if ((a.group || b.group) && same.length) { same[0].links.push(i); return; }
    const e = { a: a, b: b, links: [i], order: same.length };
    same.push(e);
    edges.push(e);
  }
  // shape bends an edge to its right, so that both directions of a link are apart, and several links as well.
  function shape(e) {
    const dx = e.b.x - e.a.x, dy = e.b.y - e.a.y, bend = 0.1 + 0.09 * e.order;
    e.cx = (e.a.x + e.b.x) / 2 - dy * bend;
    e.cy = (e.a.y + e.b.y) / 2 + dx * bend;
  }
  const part = (e, t) => {
    const s = 1 - t;
    return [s * s * e.a.x + 2 * s * t * e.cx + t * t * e.b.x, s * s * e.a.y + 2 * s * t * e.cy + t * t * e.b.y];
  };
  const px = (x) => x * view.k + view.x, py = (y) => y * view.k + view.y;

  function fit() {
    box = canvas.getBoundingClientRect();
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
    for (const m of marks) { x0 = Math.min(x0, m.x); y0 = Math.min(y0, m.y); x1 = Math.max(x1, m.x); y1 = Math.max(y1, m.y); }
    if (!(x1 >= x0)) return;
    const room = Math.min(marks.some((m) => m.group) ? 80 : 50, box.width / 6);
    const k = Math.min((box.width - 2 * room) / Math.max(x1 - x0, 0.5), (box.height - 2 * room) / Math.max(y1 - y0, 0.5), 160);
    view = { k: k, x: box.width / 2 - k * (x0 + x1) / 2, y: box.height / 2 - k * (y0 + y1) / 2 };
  }
  function zoom(by, x, y) {
    if (x === undefined) { x = box.width / 2; y = box.height / 2; }
    const k = Math.min(Math.max(view.k * by, 0.5), 2000);
    by = k / view.k;
    view = { k: k, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
    changed();
  }
  function pan(x, y) { view.x += x; view.y += y; changed(); }
  function changed() { draw(); if (moved) moved(); }
  // centre moves the picture so that a place is in it.
  function centre(x, y) {
    const room = 40;
    if (px(x) > room && px(x) < box.width - room && py(y) > room && py(y) < box.height - room) return;
    view.x = box.width / 2 - x * view.k;
    view.y = box.height / 2 - y * view.k;
  }

  const level = (x) => Math.min(Math.max(Math.round(x / state.scale * (steps - 1)), 0), steps - 1);
  const radius = (m) => (m.group ? 9 + Math.min(6, m.number / 4) : m.attached ? Math.min(Math.max(view.k * 0.07, 1.5), 7) : Math.min(Math.max(view.k * 0.13, 2.5), 12));
  // In a dense picture links are thin, and those with low values faint.
  const width = (l) => (l < 0 ? 0.6 : 0.7 + 2.8 * l / (steps - 1)) * Math.min(Math.max(view.k / 40, 0.7), 1.7) * Math.min(Math.max(Math.sqrt(900 / edges.length), 0.35), 1);
  const strength = (l) => (edges.length < 900 ? 1 : l < 0 ? 0.2 : 0.25 + 0.75 * l / (steps - 1));
  const levelOf = (some) => { const x = net.most(state.frame, state.value, some).value; return x === x && state.scale > 0 ? level(x) : -1; };
  const ink = (l) => (l < 0 ? sheet.colour("line") : ramp[l]);

  // sorted returns edges by their level, the lowest first, which is without a value.
  function sorted() {
    const by = Array.from({ length: steps + 1 }, () => []);
    for (const e of edges) by[levelOf(e.links) + 1].push(e);
    return by;
  }
  function head(e, size) {
    const [x, y] = part(e, 0.62), [u, v] = part(e, 0.6), a = Math.atan2(y - v, x - u);
    return [[px(x) + size * Math.cos(a), py(y) + size * Math.sin(a)], [px(x) + size * 0.7 * Math.cos(a + 2.3), py(y) + size * 0.7 * Math.sin(a + 2.3)], [px(x) + size * 0.7 * Math.cos(a - 2.3), py(y) + size * 0.7 * Math.sin(a - 2.3)]];
  }
  const long = (e) => Math.hypot(e.a.x - e.b.x, e.a.y - e.b.y) * view.k > 46;
  const withHeads = () => edges.length < 3000;
  const isChosen = (e) => state.link >= 0 && e.links.includes(state.link);
  const labelled = (m) => (m.group ? true : m.attached ? view.k > 140 : view.k > 62);

  // label returns where the name of a mark is: to the right, or, of a group on the left side, to the left.
  function label(m) {
    const left = m.group && m.x < middle, r = radius(m) + 3;
    return [px(m.x) + (left ? -r : r), py(m.y) + 4, left ? "end" : "start"];
  }

  let asked = false;
  function draw() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; paint(); });
  }
  function paint() {
    if (!state || state.frame < 0) return;
    box = canvas.getBoundingClientRect();
    if (!box.width) return;
    const ratio = window.devicePixelRatio || 1, w = Math.round(box.width * ratio), h = Math.round(box.height * ratio);
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    const c = canvas.getContext("2d");
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, box.width, box.height);
    sorted().forEach((some, l) => {
      if (!some.length) return;
      c.strokeStyle = c.fillStyle = ink(l - 1);
      c.lineWidth = width(l - 1);
      c.globalAlpha = strength(l - 1);
      c.beginPath();
      for (const e of some) { c.moveTo(px(e.a.x), py(e.a.y)); c.quadraticCurveTo(px(e.cx), py(e.cy), px(e.b.x), py(e.b.y)); }
      c.stroke();
      if (!withHeads()) return;
      c.beginPath();
      for (const e of some) if (long(e)) { const p = head(e, 3.5 + c.lineWidth); c.moveTo(...p[0]); c.lineTo(...p[1]); c.lineTo(...p[2]); }
      c.fill();
    });
    c.globalAlpha = 1;
    const strong = sheet.colour("link");
    for (const e of edges) if (isChosen(e)) {
      c.strokeStyle = c.fillStyle = strong;
      c.lineWidth = 4;
      c.beginPath();
      c.moveTo(px(e.a.x), py(e.a.y));
      c.quadraticCurveTo(px(e.cx), py(e.cy), px(e.b.x), py(e.b.y));
      c.stroke();
      const p = head(e, 10);
      c.beginPath();
      p.forEach((q, i) => (i ? c.lineTo(...q) : c.moveTo(...q)));
      c.fill();
    }
    c.font = "11px system-ui, sans-serif";
    for (const m of marks) {
      const r = radius(m), chosen = m.group ? m.group === state.group : m.node === state.node;
      c.fillStyle = ink(levelOf(m.links));
      c.strokeStyle = chosen ? strong : sheet.colour("ink");
      c.lineWidth = chosen ? 4 : 0.8;
      c.beginPath();
      if (m.attached || m.group) c.arc(px(m.x), py(m.y), r, 0, 7); else c.rect(px(m.x) - r, py(m.y) - r, 2 * r, 2 * r);
      c.fill();
      c.stroke();
    }
    c.fillStyle = sheet.colour("ink");
    c.strokeStyle = sheet.colour("card");
    c.lineWidth = 3;
    for (const m of marks) if (labelled(m)) {
      const [x, y, way] = label(m);
      c.textAlign = way;
      c.strokeText(m.name, x, y);
      c.fillText(m.name, x, y);
    }
    canvas.dataset.painted = [state.frame, state.value, edges.length, marks.length, document.documentElement.dataset.theme].join(" ");
  }

  // hit returns what is at a place of the canvas: a mark, an edge, or null.
  function hit(x, y) {
    let best = null, near = 6;
    for (const m of marks) { const d = Math.hypot(px(m.x) - x, py(m.y) - y) - radius(m); if (d < 3 && d < near) { near = d; best = { mark: m }; } }
    if (best) return best;
    near = 6;
    for (const e of edges) {
      const low = Math.min(px(e.a.x), px(e.b.x), px(e.cx)) - 6, high = Math.max(px(e.a.x), px(e.b.x), px(e.cx)) + 6;
      if (x < low || x > high) continue;
      let [u, v] = [px(e.a.x), py(e.a.y)];
      for (let i = 1; i <= 16; i++) {
        const p = part(e, i / 16), nx = px(p[0]), ny = py(p[1]), dx = nx - u, dy = ny - v;
        const t = Math.min(Math.max(((x - u) * dx + (y - v) * dy) / (dx * dx + dy * dy || 1), 0), 1);
        const d = Math.hypot(x - u - t * dx, y - v - t * dy);
        if (d < near) { near = d; best = { edge: e }; }
        [u, v] = [nx, ny];
      }
    }
    return best;
  }

  const escape = (s) => s.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  // svg returns the picture as it is seen, made of the data, with its title and legend.
  function svg(title, about, legend) {
    const n = (x) => Number(x.toFixed(2)), w = Math.round(box.width), h = Math.round(box.height), parts = [];
    sorted().forEach((some, l) => {
      for (const e of some) {
        const colour = isChosen(e) ? sheet.colour("link") : ink(l - 1);
        parts.push('<path class="link" d="M' + n(px(e.a.x)) + " " + n(py(e.a.y)) + "Q" + n(px(e.cx)) + " " + n(py(e.cy)) + " " + n(px(e.b.x)) + " " + n(py(e.b.y)) + '" fill="none" stroke="' + colour + '" stroke-width="' + n(isChosen(e) ? 4 : width(l - 1)) + '" stroke-opacity="' + n(isChosen(e) ? 1 : strength(l - 1)) + '"><title>' + escape(e.a.name + " → " + e.b.name) + "</title></path>");
        if (withHeads() && long(e)) parts.push('<path d="M' + head(e, 3.5 + width(l - 1)).map((p) => n(p[0]) + " " + n(p[1])).join("L") + 'Z" fill="' + colour + '"/>');
      }
    });
    for (const m of marks) {
      const r = radius(m), looks = '" fill="' + ink(levelOf(m.links)) + '" stroke="' + sheet.colour("ink") + '" stroke-width="0.8"><title>' + escape(m.name) + "</title>";
      parts.push(m.attached || m.group ? '<circle class="node" cx="' + n(px(m.x)) + '" cy="' + n(py(m.y)) + '" r="' + n(r) + looks + "</circle>" : '<rect class="node" x="' + n(px(m.x) - r) + '" y="' + n(py(m.y) - r) + '" width="' + n(2 * r) + '" height="' + n(2 * r) + looks + "</rect>");
    }
    for (const m of marks) if (labelled(m)) {
      const [x, y, way] = label(m);
      parts.push('<text x="' + n(x) + '" y="' + n(y) + '" text-anchor="' + way + '" font-size="11" fill="' + sheet.colour("ink") + '">' + escape(m.name) + "</text>");
    }
    return '<svg xmlns="http://www.w3.org/2000/svg" width="' + w + '" height="' + (h + 110) + '" viewBox="0 0 ' + w + " " + (h + 110) + '" font-family="system-ui, DejaVu Sans, sans-serif">' +
      '<rect width="100%" height="100%" fill="' + sheet.colour("card") + '"/><text x="12" y="24" font-size="17" fill="' + sheet.colour("ink") + '">' + escape(title) + '</text><text x="12" y="44" font-size="13" fill="' + sheet.colour("soft") + '">' + escape(about) + "</text>" +
      '<g transform="translate(0 54)">' + parts.join("\n") + '</g><g transform="translate(0 ' + (h + 60) + ')" fill="' + sheet.colour("soft") + '" font-size="12">' + legend + "</g></svg>\n";
  }

  return {
    canvas, build, fit, zoom, pan, centre, draw, hit, svg, colours, steps, ramp: () => ramp, marks: () => marks, edges: () => edges,
    show(s) { state = s; draw(); }, view: () => view, look(v) { view = v; draw(); }, onMove(f) { moved = f; }, place: (m) => [px(m.x), py(m.y)], middle: (e) => { const p = part(e, 0.5); return [px(p[0]), py(p[1])]; },
  };
})();
