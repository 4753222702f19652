// The charts of a report: turns a chart of the page into options of ECharts, in the colours of the theme, and into numbers.
const looks = (function () {
  "use strict";
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
  // tick returns the label of a tick of an axis, with as many digits as it has: neighbours of 300.05 are not all 300.
  function tick(x) {
    const short = text(x), [unit, by] = /k$/.test(short) ? [" k", 1e3] : /M$/.test(short) ? [" M", 1e6] : /G$/.test(short) ? [" G", 1e9] : ["", 1];
    if (x === 0 || Math.abs(x) < 1e-4) return short;
    const whole = String(Number((x / by).toPrecision(12)));
    return (whole.length > 10 ? String(Number((x / by).toPrecision(7))) : whole) + unit;
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
    a.axisLabel.formatter = tick;
    return a;
  }
  // onPaper reports whether the page is drawn for a printer: nothing can be clicked, and legends have to show all.
  const onPaper = () => document.documentElement.classList.contains("paper");
  function base(t) {
    const paper = onPaper();
    return {
      animation: false, aria: { enabled: true, label: { data: { maxCount: 5 } } }, backgroundColor: "transparent",
      textStyle: { color: t.ink, fontFamily: "system-ui, Segoe UI, Roboto, DejaVu Sans, sans-serif" },
      color: t.colours,
      tooltip: { backgroundColor: t.card, borderColor: t.soft, textStyle: { color: t.ink }, confine: true },
      toolbox: { show: !narrow.matches && !paper, right: 8, top: 0, iconStyle: { borderColor: t.soft }, feature: {} },
      legend: { type: paper ? "plain" : "scroll", left: 8, right: narrow.matches || paper ? 8 : 120, top: 2, textStyle: { color: t.ink, fontSize: paper ? 9 : 12 },
        ...(paper ? { itemGap: 5, itemWidth: 14 } : {}), pageTextStyle: { color: t.ink },
        pageIconColor: t.ink, pageIconInactiveColor: t.line, inactiveColor: t.soft },
      grid: { left: 24, right: 24, top: 44, bottom: 24 },
    };
  }

  // inkOn returns black or white, whichever can be read on the colour of a value.
  function inkOn(value, low, high) {
    const at = Math.min(Math.max((value - low) / (high - low), 0), 1) * (scale.length - 1);
    return readable(scale[Math.round(at)]);
  }
  function readable(hex) {
    const part = (i) => Math.pow(parseInt(hex.slice(i, i + 2), 16) / 255, 2.2);
    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > 0.18 ? "#000000" : "#ffffff";
  }

  // What is chosen: a stretch of real time in seconds, the row of a heat map, and whether lines are over GVT.
  const now = { zoom: null, marked: null, frame: 0, byGVT: false, beside: timeline.hasGVT };
  const perSecond = timeline.perSecond;

  // shown returns where the chosen stretch is on the axis of a linked chart; null if all is shown.
  function shown(c) {
    const by = perSecond[c.x.unit];
    if (!now.zoom || !c.linked) return null;
    if (by) return [now.zoom.from * by, now.zoom.to * by];
    return [timeline.gvtOf(now.zoom.from), timeline.gvtOf(now.zoom.to)];
  }

  // zooms lets the reader zoom with the wheel, and on a phone with two fingers.
  function zooms(o, c) {
    const at = shown(c);
    o.dataZoom = [{ ...(at ? { startValue: at[0], endValue: at[1] } : {}), type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseMove: true, preventDefaultMouseMove: false }];
  }

  // sides are the margins of the charts over time, whose axes stand below each other.
  const sides = () => (narrow.matches ? { left: 84, right: 12 } : { left: 118, right: 22 });

  // lineUp gives a chart over time its place in the time line: the axis of all, and the cursor of all.
  function lineUp(o, c, t, top) {
    if (!c.linked) return;
    Object.assign(o.grid, sides(), { top: top, bottom: c.x.unit ? 22 : 40, outerBoundsMode: "none" });
    if (c.x.unit) {
      o.xAxis.name = "";
      o.xAxis.axisLabel.formatter = (v) => withUnit(v, c.x.unit);
    }
    o.xAxis.axisLabel.showMaxLabel = !!now.zoom;
    o.xAxis.axisPointer = { show: true, snap: false, triggerTooltip: c.kind === "lines", lineStyle: { color: t.ink, type: "solid", opacity: 0.7 }, label: { show: true, formatter: (p) => withUnit(p.value, c.x.unit) } };
  }
  // place returns where a column begins.
  const place = (c, column) => (c.edges ? c.edges[Math.min(column, c.edges.length - 1)] : (c.x.from || 0) + column * c.x.step);

  // stretch returns the ends of a stretch of an axis, with as many digits as tell one from the other.
  function stretch(from, to, x) {
    const step = to > from ? to - from : 1;
    return exact(from, step) + " to " + withUnit(exact(to, step), x.unit) + (x.name.startsWith("GVT") ? " of GVT" : "");
  }
  // pointsOf returns the points of a line. Those of a base, and of a choice, have places of their own.
  function pointsOf(s, c) {
    const at = s.step ? s : c.x;
    return s.points || s.values.map((v, i) => [(at.from || 0) + i * (at.step || 0), v]);
  }
  // colourOf returns the number of the colour of a line, which it has also where others are left out.
  function colourOf(s, number) {
    return s.hue === undefined ? s.at === undefined ? number : s.at - s.before : s.hue;
  }
  function rowAxis(c, t) {
    const a = axis(c.y, t, { type: "category", data: c.rows, nameLocation: "end", nameGap: 8, splitLine: { show: false }, triggerEvent: true });
    if (c.linked) a.name = "";
    a.axisLabel.width = c.linked ? sides().left - 12 : 200;
    a.axisLabel.overflow = "truncate";
    a.axisLabel.hideOverlap = true;
    return a;
  }
  // edgesOf returns the lowest and the highest of the lines of PEs, point by point.
  function edgesOf(c) {
    const lines = c.series.filter((s) => !s.bold && !s.base), n = lines.length ? lines[0].values.length : 0;
    const known = (i) => lines.map((s) => s.values[i]).filter((v) => v !== null && isFinite(v));
    return [Math.min, Math.max].map((of) => Array.from({ length: n }, (v, i) => (known(i).length ? of(...known(i)) : null)));
  }
  // band is the area between the lowest and the highest line of a PE.
  function band(c, t) {
    const [low, high] = edgesOf(c), line = c.series.find((s) => !s.bold && !s.base);
    const xs = pointsOf(line, c).map((p) => p[0]);
    return {
      type: "custom", name: (now.beside ? timeline.data.run + ": " : "") + "lowest to highest PE", clip: true, silent: true, z: 1, progressive: 0, itemStyle: { color: t.colours[5], opacity: 0.45 }, encode: { x: 0, y: [1, 2], tooltip: [1, 2] },
      data: xs.map((x, i) => [x, low[i], high[i]]),
      renderItem(params, api) {
        if (params.dataIndexInside > 0) return null; // the first item draws all
        const way = xs.map((x, i) => i).filter((i) => low[i] !== null);
        const edge = (list, ys) => list.map((i) => api.coord([xs[i], ys[i]]));
        return { type: "polygon", shape: { points: [...edge(way, high), ...edge(way.slice().reverse(), low)] }, style: { fill: t.colours[5], opacity: 0.45 } };
      },
    };
  }

  const kinds = {
    // A flow has an arrow from the LP and time of a sender to those of the receiver.
    flow(c, t) {
      const o = base(t);
      o.legend = undefined;
      o.toolbox.feature = { restore: {} };
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
      o.tooltip.valueFormatter = (v) => (Array.isArray(v) ? v.map(text).join(" to ") + (c.y.unit ? " " + c.y.unit : "") : withUnit(v, c.y.unit));
      o.toolbox.feature = { dataZoom: { yAxisIndex: "none" }, restore: {} };
      o.xAxis = valueAxis(c.x, t, { nameGap: 28 });
      o.xAxis.axisPointer = { label: { formatter: (p) => withUnit(p.value, c.x.unit) } };
      o.yAxis = valueAxis(c.y, t, { nameGap: c.linked ? (narrow.matches ? 52 : 66) : 50 });
      zooms(o, c);
      lineUp(o, c, t, 34);
      if (c.linked) { o.legend.left = narrow.matches ? 8 : 110; o.yAxis.splitNumber = 3; }
      if (c.linked && c.y.max !== undefined) o.yAxis.interval = (c.y.max - (c.y.min || 0)) / 2; // labels that have room
      let colour = 0;
      o.series = c.series.map((s) => {
        const number = s.base || s.bold ? 0 : colour++;
        const own = s.base ? t.base : s.bold ? t.bold : t.colours[colourOf(s, number) % t.colours.length];
        return {
          type: "line", name: s.name, symbol: s.values.length < 3 ? "circle" : "none", connectNulls: true, sampling: "lttb", z: s.bold ? 3 : 2, triggerLineEvent: true,
          itemStyle: { color: own }, lineStyle: { color: own, width: s.bold ? 2 : 1.3, type: s.dashed ? "dashed" : "solid" }, data: pointsOf(s, c),
        };
      });
      const some = c.band || now.beside && c.series.some((s) => s.base); // the other lines can be chosen
      if (some) o.legend.selected = Object.fromEntries(c.series.filter((s) => !s.bold && !s.base && !s.dashed).map((s) => [s.name, false]));
      if (c.band) o.series.push(band(c, t));
      if (c.stalls && c.stalls.length) o.series[0].markArea = { silent: true, itemStyle: { color: t.base, opacity: 0.13 }, data: c.stalls.map((s) => [{ xAxis: s[0] }, { xAxis: s[1] }]) };
      if (c.shade) o.series[0].markArea = { silent: true, itemStyle: { color: t.soft, opacity: 0.2 }, data: [[{ xAxis: c.shade[0] }, { xAxis: c.shade[1] }]] };
      return o;
    },

    bars(c, t) {
      const o = base(t);
      o.aria.decal = { show: true };
      o.toolbox.show = false;
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
      o.aria.decal.show = false; // what bars stand on is not to be seen
      o.legend.show = false;
      o.grid.top = 44;
      Object.assign(o.xAxis.axisLabel, { interval: 0, hideOverlap: false, fontSize: narrow.matches ? 9 : 11, lineHeight: 13, width: narrow.matches ? 40 : 62, overflow: "break" });
      if (narrow.matches) Object.assign(o.xAxis.axisLabel, { rotate: 50, overflow: "none", width: undefined });
      const seen = Math.max(...c.series[1].values) / 50; // what is smaller has no room for a label
      o.tooltip.formatter = (all) => {
        const [, whole, more, less] = all.map((p) => p.value);
        return echarts.format.encodeHTML(all[0].name) + ": <b>" + withUnit(whole || more || -less, c.y.unit) + "</b>";
      };
      [["transparent"], [t.soft], [t.base], [t.colours[2]]].forEach(([colour], i) => {
        o.series[i].itemStyle = { color: colour };
        if (i === 0) o.series[i].silent = true;
        else o.series[i].data = c.series[i].values.map((v) => ({ value: v, label: { show: v >= seen, position: "top", color: t.ink, fontSize: narrow.matches ? 8 : 12,
          formatter: (p) => (i === 2 ? "+" : i === 3 ? "−" : "") + withUnit(p.value, narrow.matches ? "" : c.y.unit) } }));
      });
      return o;
    },

    // A density has bars between two sizes, whose areas are shares.
    density(c, t) {
      const o = base(t);
      o.legend = undefined;
      o.toolbox.show = false;
      const own = c.other || [], low = Math.min(c.bins[0][0], ...own.slice(0, 1).map((b) => b[0])), high = Math.max(c.bins[c.bins.length - 1][1], ...own.slice(-1).map((b) => b[1]));
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
      if (own.length) { // the outline of the base, over the bars of the run
        o.legend = Object.assign(base(t).legend, { data: c.names });
        o.series[0].name = c.names[0];
        o.series[0].itemStyle = { color: t.colours[0] };
        o.series.push({
          type: "custom", name: c.names[1], progressive: 0, clip: true, encode: { x: [0, 1], y: 2 }, data: own, itemStyle: { color: t.base }, z: 3,
          renderItem(params, api) {
            const a = api.coord([api.value(0), api.value(2)]), b = api.coord([api.value(1), 0]);
            return { type: "rect", shape: { x: a[0], y: a[1], width: Math.max(b[0] - a[0], 0.6), height: b[1] - a[1] }, style: { fill: "transparent", stroke: t.base, lineWidth: 1.6 } };
          },
        });
        o.tooltip.formatter = (p) => echarts.format.encodeHTML(p.seriesName) + "<br>" + digits(p.value[0]) + " to " + digits(p.value[1]) + ": <b>" + text(p.value[2]) + " " + c.y.unit + "</b>";
      }
      return o;
    },

    // Lanes have a row for each PE, in which the parts of its time stand one above the other.
    lanes(c, t) {
      const o = base(t), name = echarts.format.encodeHTML;
      o.toolbox.show = false;
      o.legend.left = narrow.matches ? 8 : 110;
      o.yAxis = rowAxis(c, t);
      o.yAxis.splitLine = { show: true, lineStyle: { color: t.line } };
      o.xAxis = valueAxis(c.x, t, { nameGap: 28, splitLine: { show: false } });
      zooms(o, c);
      lineUp(o, c, t, 34);
      const below = new Map(), data = c.columns.map(() => []);
      for (const [column, row, part, percent] of c.parts) {
        const key = row + ":" + column, low = below.get(key) || 0;
        data[part].push([place(c, column), row, low, low + percent, place(c, column + 1)]);
        below.set(key, low + percent);
      }
      o.tooltip.formatter = (p) => name(c.rows[p.value[1]]) + ", " + stretch(p.value[0], p.value[4], c.x) + "<br>" + name(p.seriesName) + ": <b>" + text(p.value[3] - p.value[2]) + " %</b>";
      o.series = c.columns.map((part, i) => ({
        type: "custom", name: part, progressive: 0, clip: true, encode: { x: [0, 4], y: 1 }, data: data[i], itemStyle: { color: t.colours[i % t.colours.length] },
        renderItem(params, api) {
          const a = api.coord([api.value(0), api.value(1)]), b = api.coord([api.value(4), api.value(1)]), high = api.size([0, 1])[1] * 0.88;
          const from = a[1] + high / 2 - (api.value(3) / 100) * high;
          return { type: "rect", shape: { x: a[0], y: from, width: Math.max(b[0] - a[0], 0) + 0.4, height: ((api.value(3) - api.value(2)) / 100) * high }, style: { fill: api.visual("color") } };
        },
      })).filter((s) => s.data.length);
      return o;
    },

    // A flame graph has a row for each level, from the whole above to its parts below.
    flame(c, t) {
      const o = base(t), name = echarts.format.encodeHTML, root = c.frames[Math.min(now.frame || 0, c.frames.length - 1)];
      o.toolbox.show = false;
      o.legend = undefined;
      o.grid.top = 12;
      o.yAxis = axis({ name: "" }, t, { type: "category", data: c.rows, inverse: true, axisTick: { show: false } });
      o.xAxis = valueAxis({ name: c.x.name, min: root.from, max: root.to > root.from ? root.to : root.from + 1e-9 }, t, { nameGap: 28, splitLine: { show: false } });
      o.tooltip.formatter = (p) => {
        const f = c.frames[p.dataIndex];
        return name(f.name) + ": <b>" + text(f.to - f.from) + " %</b>, " + text(f.seconds) + " s" + (f.text ? "<br>" + name(f.text) : "");
      };
      const within = new Map(); // of frames, to their colours: those of the bar above
      const ofBar = { events: "events", busy: "events", "undone-work": "undone", "gvt-and-commit": "gvt", network: "network", "messages-between-pes": "network",
        idle: "idle", "idle-or-no-processor": "idle", "no-processor": "nothing", "not-timed": "rest" };
      const looks = getComputedStyle(document.documentElement);
      let cause = t.line;
      o.series = [{
        type: "custom", name: c.title, progressive: 0, clip: true, encode: { x: [0, 2], y: 1 }, data: c.frames.map((f, i) => {
          if (f.level === 1) cause = looks.getPropertyValue("--" + ofBar[f.class]).trim() || t.line;
          within.set(i, cause);
          return [f.from, f.level, f.to];
        }),
        renderItem(params, api) {
          const f = c.frames[params.dataIndex], box = params.coordSys;
          const a = api.coord([f.from, f.level]), b = api.coord([f.to, f.level]), high = api.size([0, 1])[1] * 0.9;
          const left = Math.max(a[0], box.x), right = Math.min(b[0], box.x + box.width);
          if (right - left <= 0) return null;
          const rect = { type: "rect", shape: { x: left, y: a[1] - high / 2, width: Math.max(right - left - 1, 0.5), height: high },
            style: { fill: within.get(params.dataIndex), stroke: t.card, lineWidth: 1 } };
          const label = { type: "text", silent: true, style: { text: right - left > 24 ? f.name : "", x: left + 4, y: a[1], verticalAlign: "middle", width: right - left - 8, overflow: "truncate", fontSize: 12, fill: readable(within.get(params.dataIndex)) } };
          return { type: "group", children: [rect, label] };
        },
      }];
      return o;
    },

    // Marks say what happened when: a diamond at a time, or a bar from one to another.
    marks(c, t) {
      const o = base(t);
      o.toolbox.show = false;
      o.legend = undefined;
      o.yAxis = rowAxis(c, t);
      o.yAxis.splitLine = { show: true, lineStyle: { color: t.line } };
      o.xAxis = valueAxis(c.x, t, { nameGap: 28 });
      zooms(o, c);
      lineUp(o, c, t, 8);
      o.tooltip.formatter = (p) => stretch(p.value[0], p.value[2], c.x) + "<br><b>" + echarts.format.encodeHTML(c.marks[p.dataIndex].text) + "</b>";
      const colours = { "KPs moved": t.colours[0], "forced GVTs": t.colours[1], stalls: t.base };
      o.series = [{
        type: "custom", name: c.title, progressive: 0, clip: true, encode: { x: [0, 2], y: 1 }, data: c.marks.map((m) => [m.from, m.row, m.to]),
        renderItem(params, api) {
          const a = api.coord([api.value(0), api.value(1)]), b = api.coord([api.value(2), api.value(1)]), row = c.rows[api.value(1)];
          const style = { fill: colours[row] }, x = (a[0] + b[0]) / 2, y = a[1], r = 6;
          if (row === "stalls") return { type: "rect", shape: { x: a[0], y: y - 6, width: Math.max(b[0] - a[0], 2), height: 12 }, style: style };
          return { type: "polygon", shape: { points: [[x - r, y], [x, y - r], [x + r, y], [x, y + r]] }, style: style };
        },
      }];
      return o;
    },

    heat(c, t, height) {
      const o = base(t);
      const shown = (v) => (c.log ? Math.log10(v) : v);
      const values = (c.scale || c).cells.map((cell) => cell[2]);
      const low = c.z.min !== undefined ? c.z.min : values.reduce((a, b) => Math.min(a, b), Infinity);
      const high = c.z.max !== undefined ? c.z.max : values.reduce((a, b) => Math.max(a, b), -Infinity);
      o.legend = undefined;
      o.toolbox.show = false;
      o.grid.top = c.y.name ? 62 : 44;
      o.yAxis = rowAxis(c, t);
      const step = c.x.step; // of columns that are stretches of a time; others have names
      if (step) {
        o.xAxis = valueAxis(c.x, t, { nameGap: 28, splitLine: { show: false } });
        zooms(o, c);
        lineUp(o, c, t, 34);
        if (c.linked) o.toolbox.show = false;
      } else {
        o.xAxis = axis(c.x, t, { type: "category", data: c.columns, nameGap: 28, splitLine: { show: false } });
        o.xAxis.axisLabel.interval = c.columns.length <= 8 ? 0 : "auto";
      }
      const every = Math.ceil((c.rows.length * 14) / (height - 90)); // rows from a name to the next
      const here = now.marked && now.marked.id === c.id ? now.marked.row : null;
      o.yAxis.axisLabel.interval = (i, row) => row === here || i % every === 0;
      o.yAxis.axisLabel.formatter = (row) => (row === here ? "▶ " + row : row);
      const name = echarts.format.encodeHTML; // names of LPs are the model's
      o.tooltip.formatter = (p) => {
        const [x, y, , v, end] = p.value;
        const at = step ? name(c.rows[y]) + ", " + stretch(x, end, c.x) : name(c.columns[x]) + " → " + name(c.rows[y]);
        return at + "<br>" + c.z.name + ": <b>" + text(v) + "</b>";
      };
      o.visualMap = {
        type: "continuous", min: shown(low), max: shown(high) > shown(low) ? shown(high) : shown(low) + 1, dimension: 2,
        orient: "horizontal", left: c.linked && !narrow.matches ? 112 : 16, top: 0, itemHeight: 120, itemWidth: 12, inRange: { color: c.diverging ? around : scale },
        text: [text(high) + " " + c.z.name, text(low)], textStyle: { color: t.ink },
        formatter: (v) => text(c.log ? Math.pow(10, v) : v),
      };
      o.series = [step ? {
        type: "custom", name: c.title, progressive: 0, clip: true, encode: { x: 0, y: 1 },
        data: c.cells.map((cell) => [place(c, cell[0]), cell[1], shown(cell[2]), cell[2], place(c, cell[0] + 1)]),
        renderItem(params, api) {
          const a = api.coord([api.value(0), api.value(1)]), b = api.coord([api.value(4), api.value(1)]), high = api.size([0, 1])[1];
          return { type: "rect", shape: { x: a[0], y: a[1] - high / 2, width: b[0] - a[0] + 0.5, height: high + 0.5 }, style: { fill: api.visual("color") } };
        },
        emphasis: { itemStyle: { borderColor: t.ink, borderWidth: 1 } },
      } : {
        // No series of type heatmap: ECharts paints these bit by bit, whatever progressive says, so that a file or a printer
        // would get the first bit.
        type: "custom", name: c.title, progressive: 0, clip: true, encode: { x: 0, y: 1 },
        data: c.cells.map((cell) => [cell[0], cell[1], shown(cell[2]), cell[2]]),
        renderItem(params, api) {
          const [x, y] = api.coord([api.value(0), api.value(1)]), [wide, high] = api.size([1, 1]);
          const cell = { type: "rect", shape: { x: x - wide / 2, y: y - high / 2, width: wide, height: high }, style: { fill: api.visual("color") } };
          if (!c.labels) return cell;
          const label = { type: "text", silent: true, style: { text: text(api.value(3)), x: x, y: y, align: "center", verticalAlign: "middle", fontSize: 12,
            fill: inkOn(api.value(2), o.visualMap.min, o.visualMap.max) } };
          return { type: "group", children: [cell, label] };
        },
        emphasis: { itemStyle: { borderColor: t.ink, borderWidth: 1 } },
      }];
      return o;
    },
  };

  function points(c) {
    if (c.other) return c.bins.length + c.other.length;
    for (const list of [c.arrows, c.bins, c.parts, c.marks, c.frames, c.cells]) if (list) return list.length;
    return c.series.reduce((n, s) => n + s.values.length, c.band ? edgesOf(c)[0].length : 0);
  }

  // table returns the numbers of a chart, with a line of names.
  function table(c) {
    const round = (x) => (typeof x === "number" ? Number(x.toPrecision(9)) : x);
    if (c.arrows) return [["sent", "from", "received", "to"], ...c.arrows.map((a) => [a[0], c.rows[a[1]], a[2], c.rows[a[3]]])];
    if (c.other) return [["run", "low", "high", c.y.name], ...c.bins.map((b) => [c.names[0], ...b]), ...c.other.map((b) => [c.names[1], ...b])];
    if (c.bins) return [["low", "high", c.y.name], ...c.bins];
    const columns = (v) => [round(place(c, v[0])), round(place(c, v[0] + 1))];
    if (c.frames) return [["level", "name", "seconds", "percent from", "to", "what"], ...c.frames.map((f) => [c.rows[f.level], f.name, f.seconds, f.from, f.to, f.text])];
    if (c.marks) return [["row", c.x.name + " from", "to", "what"], ...c.marks.map((m) => [c.rows[m.row], m.from, m.to, m.text])];
    if (c.parts) return [["row", c.x.name + " from", "to", "activity", "percent"], ...c.parts.map((v) => [c.rows[v[1]], ...columns(v), c.columns[v[2]], v[3]])];
    if (c.cells && c.x.step) return [["row", c.x.name + " from", "to", c.z.name], ...c.cells.map((v) => [c.rows[v[1]], ...columns(v), v[2]])];
    if (c.cells) return [[c.x.name, c.y.name, c.z.name], ...c.cells.map((v) => [c.columns[v[0]], c.rows[v[1]], v[2]])];
    if (c.columns) return [[c.x.name, ...c.series.map((s) => s.name || "stands on")], ...c.columns.map((name, i) => [name, ...c.series.map((s) => s.values[i])])];
    return [[c.x.name, "line", c.y.name], ...c.series.flatMap((s) => pointsOf(s, c).map(([x, v]) => [round(x), s.name, v]))];
  }
  // csv returns a table as text, whose fields are quoted where they must be.
  function csv(c) {
    const field = (x) => {
      let text = x === null || x === undefined ? "" : String(x);
      if (typeof x === "string" && /^[=+\-@\t\r]/.test(text)) text = "'" + text; // which a spreadsheet would compute
      text = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, (c) => "\\x" + c.charCodeAt(0).toString(16).padStart(2, "0"));
      return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
    };
    return table(c).map((line) => line.map(field).join(",") + "\n").join("");
  }
  return { themes, kinds, now, narrow, sides, text, tick, withUnit, points, csv, shown };
})();
