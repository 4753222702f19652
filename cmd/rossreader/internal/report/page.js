// The charts of a report: turns what the page holds in #charts into options of ECharts,
// in the colours of the theme.
(function () {
  "use strict";
  const root = document.documentElement;
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const button = document.getElementById("theme");
  const drawn = new Map(); // ECharts instances by id
  const narrow = matchMedia("(max-width: 700px)");

  // Any two colours of lines and bars differ for all eyes, also without green cones, and each from the ground:
  // a test computes it.
  const themes = {
    light: {
      ink: "#1b1f24", soft: "#4d5661", line: "#d5dae0", bold: "#1b1f24", base: "#b3261e", card: "#ffffff",
      colours: ["#0f446f", "#c46e03", "#076c4c", "#e56b7c", "#825621", "#338fd8", "#00368b", "#457581"],
    },
    dark: {
      ink: "#e8eaed", soft: "#b4bcc6", line: "#3a424b", bold: "#ffffff", base: "#ff9d94", card: "#1d2126",
      colours: ["#59a6f7", "#d29c0b", "#26bb80", "#fb61c4", "#d2e00b", "#fa9a6f", "#c2a7f6", "#a2e8ed"],
    },
  };
  const scale = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"]; // viridis
  const around = ["#2166ac", "#67a9cf", "#d1e5f0", "#f7f7f7", "#fddbc7", "#ef8a62", "#b2182b"]; // less is blue, more is red

  // text returns a number with three digits and a prefix: 12.3 k.
  function text(x) {
    if (x === null || x === undefined || !isFinite(x)) return "–";
    const size = Math.abs(x);
    for (const [unit, at] of [["G", 1e9], ["M", 1e6], ["k", 1e4]]) {
      if (size >= at) return digits(x / (unit === "k" ? 1e3 : at)) + " " + unit;
    }
    return digits(x);
  }
  function digits(x) {
    if (x === 0) return "0";
    if (Math.abs(x) < 1e-4) return x.toExponential(2);
    return String(Number(x.toPrecision(Math.abs(x) >= 1000 ? 4 : 3)));
  }
  function withUnit(x, unit) {
    return (typeof x === "string" ? x : text(x)) + (unit ? " " + unit : "");
  }
  // exact returns x with as many digits as tell it from x + step.
  function exact(x, step) {
    return x.toFixed(Math.min(Math.max(Math.ceil(1 - Math.log10(step)), 0), 12));
  }

  function axis(of, t, more) {
    return Object.assign({
      name: of.name, nameLocation: "middle", nameTextStyle: { color: t.soft },
      axisLabel: { color: t.soft, hideOverlap: true }, axisLine: { show: true, lineStyle: { color: t.soft } },
      axisTick: { lineStyle: { color: t.soft } }, splitLine: { lineStyle: { color: t.line } },
    }, more);
  }
  function valueAxis(of, t, more) {
    const a = axis(of, t, Object.assign({ type: "value", min: of.min, max: of.max }, more));
    a.axisLabel.formatter = text;
    return a;
  }
  function base(t) {
    return {
      animation: false, aria: { enabled: true, label: { data: { maxCount: 5 } } }, backgroundColor: "transparent",
      textStyle: { color: t.ink, fontFamily: "system-ui, Segoe UI, Roboto, DejaVu Sans, sans-serif" },
      color: t.colours,
      tooltip: { backgroundColor: t.card, borderColor: t.soft, textStyle: { color: t.ink }, confine: true },
      toolbox: { show: !narrow.matches, right: 8, top: 0, iconStyle: { borderColor: t.soft }, feature: {} },
      legend: { type: "scroll", left: 8, right: narrow.matches ? 8 : 120, top: 2, textStyle: { color: t.ink }, pageTextStyle: { color: t.ink },
        pageIconColor: t.ink, pageIconInactiveColor: t.line, inactiveColor: t.soft },
      grid: { left: 24, right: 24, top: 44, bottom: 24 },
    };
  }

  // inkOn returns black or white, whichever can be read on the colour of a value.
  function inkOn(value, low, high) {
    const at = Math.min(Math.max((value - low) / (high - low), 0), 1) * (scale.length - 1);
    const hex = scale[Math.round(at)];
    const part = (i) => Math.pow(parseInt(hex.slice(i, i + 2), 16) / 255, 2.2);
    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > 0.18 ? "#000000" : "#ffffff";
  }

  // What the address says after #: the chart to look at, the stretch of real time in seconds, the row of a heat map.
  let zoom = null, marked = null;
  const perSecond = { s: 1, ms: 1e3, "µs": 1e6 };

  // zooms lets the reader zoom with the wheel, and on a phone with two fingers.
  function zooms(o, c) {
    const by = perSecond[c.x.unit];
    const now = zoom && c.linked && by ? { startValue: zoom.from * by, endValue: zoom.to * by } : {};
    o.dataZoom = [{ ...now, type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseMove: true, preventDefaultMouseMove: false }];
  }

  const kinds = {
    // A flow has an arrow from the LP and time of a sender to those of the receiver.
    flow(c, t) {
      const o = base(t);
      o.legend = undefined;
      o.toolbox.feature = { restore: {}, saveAsImage: { backgroundColor: t.card } };
      o.xAxis = valueAxis(c.x, t, { nameGap: 28 });
      o.yAxis = axis({ name: "" }, t, { type: "category", data: c.rows, splitLine: { show: true, lineStyle: { color: t.line } } });
      o.yAxis.axisLabel.width = narrow.matches ? 80 : 200;
      o.yAxis.axisLabel.overflow = "truncate";
      o.dataZoom = [
        { type: "inside", xAxisIndex: 0, filterMode: "none" },
        { type: "slider", xAxisIndex: 0, filterMode: "none", height: 18, bottom: 4, textStyle: { color: t.soft } },
      ];
      o.grid.bottom = 64;
      const name = echarts.format.encodeHTML;
      o.tooltip.formatter = (p) => {
        const [sent, from, came, to] = p.value;
        return name(c.rows[from]) + " at " + text(sent) + " → " + name(c.rows[to]) + " at <b>" + text(came) + "</b>";
      };
      o.series = [{
        type: "custom", name: c.title, data: c.arrows, progressive: 0, clip: true, encode: { x: [0, 2], y: [1, 3] },
        renderItem(params, api) {
          const a = api.coord([api.value(0), api.value(1)]), b = api.coord([api.value(2), api.value(3)]);
          const colour = t.colours[api.value(1) === api.value(3) ? 7 : 0], way = Math.atan2(b[1] - a[1], b[0] - a[0]), size = 6;
          const corner = (by) => [b[0] - size * Math.cos(way + by), b[1] - size * Math.sin(way + by)];
          return {
            type: "group",
            children: [
              { type: "line", shape: { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }, style: { stroke: colour, lineWidth: 1.2 } },
              { type: "polygon", shape: { points: [b, corner(0.4), corner(-0.4)] }, style: { fill: colour } },
              { type: "circle", shape: { cx: a[0], cy: a[1], r: 1.6 }, style: { fill: colour } },
            ],
          };
        },
      }];
      return o;
    },

    lines(c, t) {
      const o = base(t);
      o.tooltip.trigger = "axis";
      o.tooltip.valueFormatter = (v) => withUnit(v, c.y.unit);
      o.toolbox.feature = { dataZoom: { yAxisIndex: "none" }, restore: {}, saveAsImage: { backgroundColor: t.card } };
      o.xAxis = valueAxis(c.x, t, { nameGap: 28 });
      o.xAxis.axisPointer = { label: { formatter: (p) => withUnit(p.value, c.x.unit) } };
      o.yAxis = valueAxis(c.y, t, { nameGap: 50 });
      zooms(o, c);
      if (c.series.length > 5) { o.toolbox.top = 22; o.grid.top = 62; } // the legend is as wide as the chart
      let colour = 0;
      o.series = c.series.map((s) => {
        const own = s.base ? t.base : s.bold ? t.bold : t.colours[colour++ % t.colours.length];
        const at = s.base ? s : c.x;
        return {
          type: "line", name: s.name, symbol: s.values.length < 3 ? "circle" : "none", connectNulls: true, sampling: "lttb", z: s.bold ? 3 : 2,
          itemStyle: { color: own }, lineStyle: { color: own, width: s.bold ? 2 : 1.3, type: s.dashed ? "dashed" : "solid" },
          data: s.values.map((v, i) => [(at.from || 0) + i * (at.step || 0), v]),
        };
      });
      if (c.shade) o.series[0].markArea = { silent: true, itemStyle: { color: t.soft, opacity: 0.2 }, data: [[{ xAxis: c.shade[0] }, { xAxis: c.shade[1] }]] };
      return o;
    },

    bars(c, t) {
      const o = base(t);
      o.aria.decal = { show: true };
      o.toolbox.feature = { saveAsImage: { backgroundColor: t.card } };
      o.toolbox.top = narrow.matches ? 108 : 46;
      o.tooltip.trigger = "axis";
      o.tooltip.axisPointer = { type: "shadow" };
      o.tooltip.valueFormatter = (v) => withUnit(v, c.y.unit);
      o.xAxis = axis(c.x, t, { type: "category", data: c.columns, nameGap: 28 });
      o.yAxis = valueAxis(c.y, t, { nameGap: 40 });
      Object.assign(o.legend, { type: "plain", right: 8 });
      o.grid.top = narrow.matches ? 130 : 76; // lines of legend
      o.series = c.series.map((s, i) => ({
        type: "bar", name: s.name, stack: "all", barMaxWidth: 80, data: s.values,
        itemStyle: { color: c.series.length > 1 && i === c.series.length - 1 ? t.line : t.colours[i % t.colours.length] },
      }));
      return o;
    },

    // A waterfall leads from one whole to another: the first series is what bars stand on.
    waterfall(c, t) {
      const o = kinds.bars(c, t);
      o.toolbox.top = 0;
      o.aria.decal.show = false; // what bars stand on is not to be seen
      o.legend.show = false;
      o.grid.top = 44;
      Object.assign(o.xAxis.axisLabel, { interval: 0, hideOverlap: false, fontSize: narrow.matches ? 9 : 11, lineHeight: 13, width: narrow.matches ? 40 : 62, overflow: "break" });
      const seen = Math.max(...c.series[1].values) / 50; // what is smaller has no room for a label
      o.tooltip.formatter = (all) => {
        const [, whole, more, less] = all.map((p) => p.value);
        return echarts.format.encodeHTML(all[0].name) + ": <b>" + withUnit(whole || more || -less, c.y.unit) + "</b>";
      };
      [["transparent"], [t.soft], [t.base], [t.colours[2]]].forEach(([colour], i) => {
        o.series[i].itemStyle = { color: colour };
        if (i === 0) o.series[i].silent = true;
        else o.series[i].data = c.series[i].values.map((v) => ({ value: v, label: { show: v >= seen, position: "top", color: t.ink,
          formatter: (p) => (i === 2 ? "+" : i === 3 ? "−" : "") + withUnit(p.value, c.y.unit) } }));
      });
      return o;
    },

    // A density has bars between two sizes, whose areas are shares.
    density(c, t) {
      const o = base(t);
      o.legend = undefined;
      o.toolbox.feature = { saveAsImage: { backgroundColor: t.card } };
      const low = c.bins[0][0], high = c.bins[c.bins.length - 1][1];
      o.xAxis = valueAxis({ name: c.x.name, min: low, max: high }, t, { type: c.x.log ? "log" : "value", nameGap: 28, splitLine: { show: false } });
      if (c.x.log) Object.assign(o.xAxis, { min: undefined, max: undefined });
      o.yAxis = valueAxis(c.y, t, { nameGap: 50 });
      o.tooltip.formatter = (p) => digits(p.value[0]) + " to " + digits(p.value[1]) + "<br>" + c.y.name + ": <b>" + text(p.value[2]) + "</b>";
      o.series = [{
        type: "custom", name: c.title, progressive: 0, clip: true, encode: { x: [0, 1], y: 2 }, data: c.bins,
        renderItem(params, api) {
          const a = api.coord([api.value(0), api.value(2)]), b = api.coord([api.value(1), 0]);
          return { type: "rect", shape: { x: a[0], y: a[1], width: Math.max(b[0] - a[0], 0.6), height: b[1] - a[1] }, style: { fill: t.colours[0] } };
        },
      }];
      return o;
    },

    heat(c, t, height) {
      const o = base(t);
      const shown = (v) => (c.log ? Math.log10(v) : v);
      const values = c.cells.map((cell) => cell[2]);
      const low = c.z.min !== undefined ? c.z.min : values.reduce((a, b) => Math.min(a, b), Infinity);
      const high = c.z.max !== undefined ? c.z.max : values.reduce((a, b) => Math.max(a, b), -Infinity);
      o.legend = undefined;
      o.toolbox.feature = { saveAsImage: { backgroundColor: t.card } };
      o.grid.top = c.y.name ? 62 : 44;
      o.yAxis = axis(c.y, t, { type: "category", data: c.rows, nameLocation: "end", nameGap: 8, splitLine: { show: false } });
      const from = c.x.from || 0, step = c.x.step; // of columns that are stretches of a time; others have names
      if (step) {
        o.xAxis = valueAxis(c.x, t, { nameGap: 28, splitLine: { show: false } });
        zooms(o, c);
      } else {
        o.xAxis = axis(c.x, t, { type: "category", data: c.columns, nameGap: 28, splitLine: { show: false } });
        o.xAxis.axisLabel.interval = c.columns.length <= 8 ? 0 : "auto";
      }
      const every = Math.ceil((c.rows.length * 14) / (height - 90)); // rows from a name to the next
      const here = marked && marked.id === c.id ? marked.row : null;
      o.yAxis.axisLabel.interval = (i, row) => row === here || i % every === 0;
      o.yAxis.axisLabel.formatter = (row) => (row === here ? "▶ " + row : row);
      o.yAxis.axisLabel.width = 200;
      o.yAxis.axisLabel.overflow = "truncate";
      const name = echarts.format.encodeHTML; // names of LPs are the model's
      o.tooltip.formatter = (p) => {
        const [x, y, , v] = p.value;
        const at = step ? name(c.rows[y]) + ", " + exact(x, step) + " to " + withUnit(exact(x + step, step), c.x.unit)
          : name(c.columns[x]) + " → " + name(c.rows[y]);
        return at + "<br>" + c.z.name + ": <b>" + text(v) + "</b>";
      };
      o.visualMap = {
        type: "continuous", min: shown(low), max: shown(high) > shown(low) ? shown(high) : shown(low) + 1, dimension: 2,
        orient: "horizontal", left: 16, top: 0, itemHeight: 120, itemWidth: 12, inRange: { color: c.diverging ? around : scale },
        text: [text(high) + " " + c.z.name, text(low)], textStyle: { color: t.ink },
        formatter: (v) => text(c.log ? Math.pow(10, v) : v),
      };
      o.series = [step ? {
        type: "custom", name: c.title, progressive: 0, clip: true, encode: { x: 0, y: 1 },
        data: c.cells.map((cell) => [from + cell[0] * step, cell[1], shown(cell[2]), cell[2]]),
        renderItem(params, api) {
          const a = api.coord([api.value(0), api.value(1)]), b = api.coord([api.value(0) + step, api.value(1)]), high = api.size([0, 1])[1];
          return { type: "rect", shape: { x: a[0], y: a[1] - high / 2, width: b[0] - a[0] + 0.5, height: high + 0.5 }, style: { fill: api.visual("color") } };
        },
        emphasis: { itemStyle: { borderColor: t.ink, borderWidth: 1 } },
      } : {
        type: "heatmap", name: c.title, progressive: 0, data: c.cells.map((cell) => {
          const value = [cell[0], cell[1], shown(cell[2]), cell[2]];
          return c.labels ? { value: value, label: { color: inkOn(value[2], o.visualMap.min, o.visualMap.max) } } : value;
        }),
        label: { show: !!c.labels, formatter: (p) => text(p.value[3]) },
        emphasis: { itemStyle: { borderColor: t.ink, borderWidth: 1 } },
      }];
      return o;
    },
  };

  function points(c) {
    if (c.arrows || c.bins) return (c.arrows || c.bins).length;
    return c.cells ? c.cells.length : c.series.reduce((n, s) => n + s.values.length, 0);
  }

  // draw draws one chart, or draws it again, before it returns: what is printed must be there. Many points are faster on
  // a canvas; few look better as SVG. The figure tells in which theme it is drawn.
  function draw(c, theme) {
    const figure = document.getElementById(c.id);
    delete figure.dataset.rendered;
    if (figure.closest("[hidden]")) return; // what has no size is drawn when it is opened
    let chart = drawn.get(c.id);
    if (!chart) {
      chart = echarts.init(figure.querySelector(".chart"), null, { renderer: points(c) > 5000 ? "canvas" : "svg" });
      drawn.set(c.id, chart);
      if (c.linked) {
        chart.group = "real time";
        chart.on("datazoom", () => zoomed(chart, c));
        chart.on("restore", () => { zoom = null; remember(); });
      }
    }
    chart.setOption(kinds[c.kind](c, themes[theme], chart.getHeight()), true);
    chart.getZr().flush();
    figure.dataset.points = points(c);
    figure.dataset.rendered = theme;
  }

  // table returns the numbers of a chart, with a line of names.
  function table(c) {
    const at = (of, i) => (of.from || 0) + i * (of.step || 0);
    const round = (x) => (typeof x === "number" ? Number(x.toPrecision(9)) : x);
    if (c.arrows) return [["sent", "from", "received", "to"], ...c.arrows.map((a) => [a[0], c.rows[a[1]], a[2], c.rows[a[3]]])];
    if (c.bins) return [["low", "high", c.y.name], ...c.bins];
    if (c.cells && c.x.step) return [["row", c.x.name + " from", "to", c.z.name], ...c.cells.map((v) => [c.rows[v[1]], round(at(c.x, v[0])), round(at(c.x, v[0] + 1)), v[2]])];
    if (c.cells) return [[c.x.name, c.y.name, c.z.name], ...c.cells.map((v) => [c.columns[v[0]], c.rows[v[1]], v[2]])];
    if (c.columns) return [[c.x.name, ...c.series.map((s) => s.name || "stands on")], ...c.columns.map((name, i) => [name, ...c.series.map((s) => s.values[i])])];
    return [[c.x.name, "line", c.y.name], ...c.series.flatMap((s) => s.values.map((v, i) => [round(at(s.base ? s : c.x, i)), s.name, v]))];
  }
  // csv returns a table as text, whose fields are quoted where they must be.
  function csv(c) {
    const field = (x) => { const text = x === null || x === undefined ? "" : String(x); return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text; };
    return table(c).map((line) => line.map(field).join(",") + "\n").join("");
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
  for (const c of charts) {
    const button = document.getElementById(c.id).querySelector(".csv");
    button.addEventListener("click", () => copy(csv(c)).then(() => { button.textContent = "Copied"; }, () => { button.textContent = "The browser refuses"; }));
  }

  // zoomed keeps the stretch that the reader has chosen in the address.
  function zoomed(chart, c) {
    const now = chart.getOption().dataZoom[0], by = perSecond[c.x.unit], whole = c.x.max;
    const from = (now.start / 100) * whole / by, to = (now.end / 100) * whole / by;
    zoom = now.start > 0.01 || now.end < 99.99 ? { from: from, to: to } : null;
    remember();
  }
  function remember() {
    const query = new URLSearchParams();
    if (zoom) { query.set("from", String(Number(zoom.from.toPrecision(6)))); query.set("to", String(Number(zoom.to.toPrecision(6)))); }
    if (marked) query.set("row", marked.row);
    const text = String(query), id = location.hash.slice(1).split("?")[0];
    const hash = text ? "#" + id + "?" + text : id ? "#" + id : "";
    if (hash !== location.hash) history.replaceState(null, "", hash || location.pathname + location.search);
  }
  // The tabs: how the run was, and what the model found. One is open; without scripts and on paper both are.
  const tabs = [...document.querySelectorAll('[role="tab"]')], panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  function open(tab) {
    for (const other of tabs) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      panelOf(other).hidden = other !== tab;
    }
    for (const c of charts) {
      if (!panelOf(tab).contains(document.getElementById(c.id))) continue;
      if (drawn.has(c.id)) drawn.get(c.id).resize();
      draw(c, root.dataset.theme);
    }
  }
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (e) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (!by) return;
      const next = tabs[(i + by + tabs.length) % tabs.length];
      open(next);
      next.focus();
    });
  });
  if (tabs.length) for (const tab of tabs) panelOf(tab).hidden = tab !== tabs[0];

  // follow shows what the address says.
  function follow() {
    const [id, text] = location.hash.slice(1).split("?"), query = new URLSearchParams(text || "");
    const from = parseFloat(query.get("from")), to = parseFloat(query.get("to")), row = query.get("row");
    const before = marked && marked.id;
    zoom = from < to ? { from: from, to: to } : null;
    marked = row === null ? null : { id: id, row: row };
    for (const c of charts) if (c.linked || c.id === id || c.id === before) draw(c, root.dataset.theme);
    const figure = id && document.getElementById(id);
    if (figure) {
      const tab = tabs.find((t) => panelOf(t).contains(figure));
      if (tab && panelOf(tab).hidden) open(tab);
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
    for (const c of charts) draw(c, theme);
  }

  // What was chosen is kept, where the browser keeps anything for a file.
  function chosen(theme) {
    try {
      if (theme) localStorage.setItem("ross-theme", theme);
      return localStorage.getItem("ross-theme");
    } catch (e) {
      return null;
    }
  }

  let printed = false; // in light colours, although the page is dark
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const preferred = () => (dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => { if (!chosen()) show(preferred()); });
  button.addEventListener("click", () => {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    chosen(theme);
    show(theme);
  });
  show(themes[chosen()] ? chosen() : preferred());
  if (location.hash) follow();
  echarts.connect("real time"); // a cursor or a zoom in one chart is one in all
  narrow.addEventListener("change", () => show(root.dataset.theme));
  addEventListener("beforeprint", () => {
    for (const more of document.querySelectorAll("details:not([open])")) { more.open = true; more.dataset.closed = ""; }
  });
  addEventListener("afterprint", () => {
    for (const more of document.querySelectorAll("details[data-closed]")) { more.open = false; delete more.dataset.closed; }
  });
  addEventListener("beforeprint", () => {
    for (const panel of document.querySelectorAll('[role="tabpanel"][hidden]')) {
      panel.hidden = false;
      for (const c of charts) if (panel.contains(document.getElementById(c.id))) draw(c, root.dataset.theme);
    }
  });
  addEventListener("afterprint", () => { for (const tab of tabs) panelOf(tab).hidden = tab.getAttribute("aria-selected") !== "true"; });
  addEventListener("beforeprint", () => { if (root.dataset.theme === "dark") { printed = true; show("light"); } });
  addEventListener("afterprint", () => { if (printed) { show("dark"); printed = false; } });
  let waiting = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => { for (const chart of drawn.values()) if (chart.getDom().offsetWidth) chart.resize(); });
  });
})();
