// The behaviour of a report: draws the charts, and follows the address, the controls, the theme and the printer.
(function () {
  "use strict";
  const { themes, kinds, now, narrow, sides, text, withUnit, points, csv, shown } = looks;
  const root = document.documentElement;
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const button = document.getElementById("theme");
  const drawn = new Map(); // ECharts instances by id
  const manyPoints = 2500; // for SVG, each with an element of its own
  let chosen = null; // the PE, KP or LP
  const at = (id) => document.getElementById(id);

  // view returns a chart as it is chosen.
  function view(c) {
    const own = timeline.filtered(c, chosen);
    return now.byGVT ? timeline.byGVT(own) : own;
  }

  // draw draws one chart, or draws it again, before it returns: what is printed must be there. Many points are faster on
  // a canvas; few look better as SVG. The figure tells in which theme it is drawn.
  function draw(c, theme) {
    const figure = at(c.id), own = view(c);
    delete figure.dataset.rendered;
    if (figure.closest("[hidden]")) return; // what has no size is drawn when it is opened
    let chart = drawn.get(c.id);
    const rows = String(own.rows ? own.rows.length : 0);
    if (figure.style.getPropertyValue("--rows") !== rows) {
      figure.style.setProperty("--rows", rows);
      if (chart) chart.resize();
    }
    at("h-" + c.id).textContent = own.title;
    if (!chart) {
      chart = echarts.init(figure.querySelector(".chart"), null, { renderer: points(c) > manyPoints ? "canvas" : "svg" });
      drawn.set(c.id, chart);
      if (c.linked) {
        chart.on("datazoom", () => zoomed(chart, c));
        chart.on("restore", () => { now.zoom = null; remember(); redraw(); });
        chart.on("updateAxisPointer", (e) => cursor(chart, e));
      }
      chart.on("click", (p) => picked(c, p));
    }
    chart.setOption(kinds[c.kind](own, themes[theme], chart.getHeight()), true);
    chart.getZr().flush();
    figure.dataset.points = points(own);
    figure.dataset.rendered = theme;
  }

  // copy puts text into the clipboard, also where the browser has only the old way.
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch (e) {
      const area = Object.assign(document.createElement("textarea"), { value: text });
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      if (!done) throw e;
    }
  }
  // picture stores a chart as it is shown, twice as fine, as PNG.
  function picture(c) {
    const theme = themes[root.dataset.theme], size = drawn.get(c.id), own = view(c);
    const whole = echarts.init(document.createElement("div"), null, { renderer: "canvas", width: size.getWidth(), height: size.getHeight(), devicePixelRatio: 2 });
    const option = kinds[c.kind](own, theme, size.getHeight());
    option.toolbox.show = false;
    whole.setOption(option, true);
    const link = Object.assign(document.createElement("a"), { href: whole.getDataURL({ type: "png", pixelRatio: 2, backgroundColor: theme.card }), download: own.title + ".png" });
    whole.dispose();
    link.click();
  }
  for (const c of charts) {
    const button = at(c.id).querySelector(".csv");
    button.addEventListener("click", () => copy(csv(view(c))).then(() => { button.textContent = "Copied"; }, () => { button.textContent = "The browser refuses"; }));
    at(c.id).querySelector(".png").addEventListener("click", () => picture(c));
  }

  // The stretch of real time that is chosen, in any chart over time or by the controls.
  const first = charts.find((c) => c.linked);
  const controls = at("choose"), overview = controls && echarts.init(at("overview"), null, { renderer: "svg" });
  const unit = first ? timeline.perSecond[first.x.unit] : 1;
  function zoomed(chart, c) {
    const part = chart.getOption().dataZoom[0], x = now.byGVT && timeline.hasGVT ? timeline.gvtAxis() : c.x;
    const seconds = (percent) => { const v = (x.min || 0) + (percent / 100) * (x.max - (x.min || 0)); return timeline.perSecond[x.unit] ? v / timeline.perSecond[x.unit] : timeline.secondsOf(v); };
    now.zoom = part.start > 0.01 || part.end < 99.99 ? { from: seconds(part.start), to: seconds(part.end) } : null;
    for (const other of alongTime()) if (other !== chart) other.dispatchAction({ type: "dataZoom", start: part.start, end: part.end }, { silent: true });
    if (overview && overview !== chart) overview.dispatchAction({ type: "dataZoom", start: part.start, end: part.end }, { silent: true });
    remember();
    later();
  }
  // alongTime returns what is drawn over real time.
  const alongTime = () => charts.filter((c) => c.linked && drawn.has(c.id)).map((c) => drawn.get(c.id));

  // cursor shows in all charts over time where the cursor of one is. ECharts could connect them, but only where the point is
  // in the grids of all, whose heights differ.
  function cursor(chart, e) {
    const x = (e.axesInfo || []).find((a) => a.axisDim === "x");
    for (const c of charts) {
      const other = c.linked && drawn.get(c.id);
      if (!other || other === chart || !other.getDom().offsetWidth) continue;
      if (!x) {
        other.dispatchAction({ type: "hideTip" }, { silent: true });
        other.dispatchAction({ type: "updateAxisPointer", currTrigger: "leave" }, { silent: true });
        continue;
      }
      const box = other.getModel().getComponent("grid").coordinateSystem.getRect();
      const place = { x: other.convertToPixel({ xAxisIndex: 0 }, x.value), y: box.y + box.height / 2 };
      if (place.x < box.x || place.x > box.x + box.width) continue;
      other.dispatchAction(Object.assign({ type: c.kind === "lines" ? "showTip" : "updateAxisPointer" }, place), { silent: true });
    }
  }
  let due = 0;
  function later() { cancelAnimationFrame(due); due = requestAnimationFrame(tell); }

  // tell shows in the controls and the tables what is chosen.
  function tell() {
    if (!controls) return;
    const z = now.zoom, round = (s) => String(Number((s * unit).toPrecision(5)));
    const end = now.byGVT ? timeline.data.knots[timeline.data.knots.length - 1][0] : first.x.max / unit;
    for (const id of ["from", "to"]) at(id).removeAttribute("aria-invalid");
    at("wrong").textContent = "";
    at("from").value = z ? round(z.from) : "0";
    at("to").value = z ? round(z.to) : round(end);
    at("whole").hidden = !z;
    at("clear").hidden = !chosen;
    at("chosen").textContent = chosen ? "Only " + timeline.nameOf(chosen) : "";
    for (const [id, on] of [["over-time", !now.byGVT], ["over-gvt", now.byGVT]]) if (at(id)) at(id).setAttribute("aria-pressed", String(on));
    fill(z);
  }

  // Tables of the choice replace those of the whole run, and these come back.
  const bodies = [...document.querySelectorAll("#tables tbody")].map((body) => [body, [...body.rows]]);
  function fill(stretch) {
    const all = stretch || chosen ? timeline.tables(stretch, chosen) : null;
    const title = at("h-tables");
    if (!title) return;
    title.textContent = (chosen ? timeline.nameOf(chosen) + ": " : "") + (stretch ? "what happened from " + withUnit(stretch.from * unit, "") + " to " + withUnit(stretch.to * unit, first.x.unit) : chosen ? "what happened in the whole run" : "What happened in the whole run");
    const count = (n) => (stretch ? text(n < 10 ? Number(n.toFixed(1)) : Math.round(n)) : Math.round(n).toLocaleString("en"));
    const share = (n, of) => text(of > 0 ? 100 * n / of : 0) + " %";
    for (const [body, rows] of bodies) {
      if (!all) { body.replaceChildren(...rows); continue; }
      const list = all[body.parentElement.id] || [], lps = body.parentElement.id === "lps";
      body.replaceChildren(...list.map((r) => {
        const row = document.createElement("tr"), head = Object.assign(document.createElement("th"), { scope: "row" });
        head.append(Object.assign(document.createElement("button"), { type: "button", className: "pick", textContent: r.name }));
        row.append(head);
        const home = timeline.choice(r.name), busy = r.busy === null ? "–" : text(r.busy) + " %";
        const cells = lps ? [home && home.pe !== undefined ? "PE " + home.pe + " KP " + home.kp : "–", count(r.handled), share(r.handled, all.all.handled), count(r.undone), share(r.undone, all.all.undone)]
          : [count(r.handled), count(r.undone), count(r.rollbacks), text(timeline.efficiency(r.handled, r.undone)) + " %", ...(body.parentElement.id === "pes" ? [busy] : [])];
        const names = [...body.parentElement.tHead.rows[0].cells].slice(1);
        cells.forEach((value, i) => {
          const cell = Object.assign(document.createElement("td"), { textContent: value, className: names[i].className });
          cell.dataset.name = names[i].textContent;
          row.append(cell);
        });
        return row;
      }));
    }
  }

  // choose shows what concerns a PE, KP or LP; null shows all.
  function choose(of) {
    chosen = of;
    remember();
    redraw();
  }
  function redraw() {
    for (const c of charts) draw(c, root.dataset.theme);
    survey();
    tell();
  }
  // picked follows a click on a chart: on a row, a line, a bar or an arrow.
  function picked(c, p) {
    const own = view(c), v = Array.isArray(p.value) ? p.value : [];
    if (own.kind === "flame") { // a second click on a part shows the whole again
      now.frame = now.frame === p.dataIndex ? 0 : p.dataIndex;
      draw(c, root.dataset.theme);
      return;
    }
    let name = p.seriesName;
    if (p.targetType === "axisLabel") name = String(p.value).replace(/^▶ /, "");
    else if (own.kind === "flow" || own.kind === "lanes" || own.kind === "heat") name = own.rows[v[1]];
    else if (own.kind === "bars") name = p.name;
    else if (own.kind === "marks") { const m = own.marks[p.dataIndex]; name = m.kps && m.kps.length === 1 ? "PE " + m.kps[0][0] + " KP " + m.kps[0][1] : ""; }
    const of = timeline.choice(String(name || ""));
    if (of) choose(chosen && timeline.nameOf(chosen) === timeline.nameOf(of) ? null : of);
  }

  // survey draws the run in small, with the stretch that is chosen.
  function survey() {
    if (!controls) return;
    overview.resize(); // without scripts there are no controls, so they had no size before
    const t = themes[root.dataset.theme], of = charts.find((c) => c.id === "rate") || charts.find((c) => c.linked && c.kind === "lines");
    const c = of ? view(of) : null, x = now.byGVT && timeline.hasGVT ? timeline.gvtAxis() : first.x;
    const at = shown(now.byGVT ? Object.assign({}, first, { x: x }) : first), series = c ? kinds.lines(c, t).series[0] : { type: "line", data: [[x.min || 0, 0], [x.max, 0]] };
    delete series.markArea;
    Object.assign(series, { silent: true, triggerLineEvent: false, itemStyle: { opacity: 0 }, lineStyle: { opacity: 0 }, symbol: "none" });
    overview.setOption({
      animation: false, backgroundColor: "transparent", grid: Object.assign(sides(), { top: 0, height: 0, outerBoundsMode: "none" }),
      xAxis: { type: "value", min: x.min || 0, max: x.max, show: false }, yAxis: { type: "value", show: false }, series: [series],
      dataZoom: [Object.assign(sides(), {
        type: "slider", filterMode: "none", brushSelect: true, top: 4, height: 38, borderColor: t.line, fillerColor: "rgba(120,140,170,0.25)", textStyle: { color: t.ink },
        dataBackground: { lineStyle: { color: t.soft }, areaStyle: { color: t.line, opacity: 0.9 } }, selectedDataBackground: { lineStyle: { color: t.colours[0] }, areaStyle: { color: t.colours[0], opacity: 0.35 } },
        labelFormatter: (v) => withUnit(v, x.unit), handleStyle: { color: t.card, borderColor: t.soft }, moveHandleStyle: { color: t.soft }, brushStyle: { color: t.colours[5], opacity: 0.3 },
        ...(at ? { startValue: at[0], endValue: at[1] } : { start: 0, end: 100 }),
      })],
    }, true);
  }

  function remember() {
    const query = new URLSearchParams(), { zoom, marked } = now;
    if (zoom) { query.set("from", String(Number(zoom.from.toPrecision(6)))); query.set("to", String(Number(zoom.to.toPrecision(6)))); }
    if (marked) query.set("row", marked.row);
    if (chosen) query.set("of", timeline.nameOf(chosen).replace(/ ".*$/, ""));
    if (now.byGVT) query.set("x", "gvt");
    if (tabs.length && tabs[1].getAttribute("aria-selected") === "true") query.set("tab", "model");
    const text = String(query), id = location.hash.slice(1).split("?")[0];
    const hash = text ? "#" + id + "?" + text : id ? "#" + id : "";
    if (hash !== location.hash) history.replaceState(null, "", hash || location.pathname + location.search);
  }
  // The tabs: how the run was, and what the model found. One is open; without scripts and on paper both are.
  const tabs = [...document.querySelectorAll('[role="tab"]')], panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  function open(tab) {
    select(tab);
    for (const c of charts) {
      if (!panelOf(tab).contains(document.getElementById(c.id))) continue;
      if (drawn.has(c.id)) drawn.get(c.id).resize();
      draw(c, root.dataset.theme);
    }
  }
  function select(tab) {
    for (const other of tabs) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      panelOf(other).hidden = other !== tab;
    }
  }
  // turn opens a tab that the reader chooses, which the address keeps.
  function turn(tab) {
    open(tab);
    remember();
  }
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => turn(tab));
    tab.addEventListener("keydown", (e) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (!by) return;
      const next = tabs[(i + by + tabs.length) % tabs.length];
      turn(next);
      next.focus();
    });
  });
  if (tabs.length) for (const tab of tabs) panelOf(tab).hidden = tab !== tabs[0];

  // follow shows what the address says.
  function follow() {
    const [id, text] = location.hash.slice(1).split("?"), query = new URLSearchParams(text || "");
    const from = parseFloat(query.get("from")), to = parseFloat(query.get("to")), row = query.get("row");
    now.zoom = from < to ? { from: from, to: to } : null;
    now.marked = row === null ? null : { id: id, row: row };
    now.byGVT = query.get("x") === "gvt" && timeline.hasGVT;
    chosen = query.get("of") === null ? null : timeline.choice(query.get("of"));
    const figure = id ? document.getElementById(id) : null;
    const tab = tabs.find((t) => figure && panelOf(t).contains(figure)) || tabs[query.get("tab") === "model" ? 1 : 0];
    if (tab) select(tab);
    redraw();
    if (figure) {
      figure.scrollIntoView({ block: "center" });
      for (const f of document.querySelectorAll("figure.here")) f.classList.remove("here");
      if (figure.tagName === "FIGURE") figure.classList.add("here");
    }
  }
  addEventListener("hashchange", follow);

  function show(theme) {
    root.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", "Switch to " + (theme === "dark" ? "light" : "dark") + " colours");
    redraw();
  }

  // What was chosen is kept, where the browser keeps anything for a file.
  function kept(theme) {
    try {
      if (theme) localStorage.setItem("ross-theme", theme);
      return localStorage.getItem("ross-theme");
    } catch (e) {
      return null;
    }
  }

  // On paper all is open, in light colours, and charts are as wide as the paper.
  let printed = false; // in light colours, although the page is dark
  function toPaper() {
    root.classList.add("paper");
    for (const more of document.querySelectorAll("details:not([open])")) { more.open = true; more.dataset.closed = ""; }
    for (const tab of tabs) panelOf(tab).hidden = false;
    fit();
    printed = root.dataset.theme === "dark";
    if (printed) show("light"); else redraw();
  }
  function fromPaper() {
    root.classList.remove("paper");
    for (const more of document.querySelectorAll("details[data-closed]")) { more.open = false; delete more.dataset.closed; }
    for (const tab of tabs) panelOf(tab).hidden = tab.getAttribute("aria-selected") !== "true";
    fit();
    if (printed) show("dark"); else redraw();
    printed = false;
  }
  // fit gives charts the room that they have.
  function fit() {
    for (const chart of [...drawn.values(), ...(overview ? [overview] : [])]) if (chart.getDom().offsetWidth) chart.resize();
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const preferred = () => (dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => { if (!kept()) show(preferred()); });
  button.addEventListener("click", () => {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    kept(theme);
    show(theme);
  });
  if (overview) {
    overview.on("datazoom", () => zoomed(overview, first));
    const change = () => {
      const from = parseFloat(at("from").value) / unit, to = parseFloat(at("to").value) / unit;
      const wrong = !(from < to);
      for (const id of ["from", "to"]) at(id).setAttribute("aria-invalid", String(wrong));
      at("wrong").textContent = wrong ? "From has to be less than to: the stretch stays as it was" : "";
      if (wrong) return;
      now.zoom = { from: from, to: to };
      remember();
      redraw();
    };
    for (const id of ["from", "to"]) at(id).addEventListener("change", change);
    at("whole").addEventListener("click", () => { now.zoom = null; remember(); redraw(); });
    at("clear").addEventListener("click", () => { at("search").value = ""; choose(null); at("search").focus(); });
    at("search").addEventListener("input", () => {
      const names = timeline.found(at("search").value);
      at("found").replaceChildren(...names.map((name) => Object.assign(document.createElement("option"), { value: name })));
      if (names.includes(at("search").value)) choose(timeline.choice(at("search").value));
    });
    controls.addEventListener("submit", (e) => {
      e.preventDefault();
      const names = timeline.found(at("search").value);
      const exact = timeline.choice(at("search").value);
      if (exact || names.length) choose(exact || timeline.choice(names[0]));
      else at("chosen").textContent = "Nothing is named so";
    });
    for (const [id, by] of [["over-time", false], ["over-gvt", true]]) if (at(id)) at(id).addEventListener("click", () => { now.byGVT = by; remember(); redraw(); });
  }
  document.addEventListener("click", (e) => {
    const pick = e.target.closest && e.target.closest(".pick"), of = pick && timeline.choice(pick.textContent);
    if (of) choose(chosen && timeline.nameOf(chosen) === timeline.nameOf(of) ? null : of);
  });
  show(themes[kept()] ? kept() : preferred());
  if (location.hash) follow();
  narrow.addEventListener("change", () => show(root.dataset.theme));
  addEventListener("beforeprint", toPaper);
  addEventListener("afterprint", fromPaper);
  let waiting = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(fit);
  });
})();
