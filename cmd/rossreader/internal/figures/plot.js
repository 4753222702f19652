// Axes and marks: where numbers, times and texts are drawn, and with which signs.
const plot = (function () {
  "use strict";
  const NS = "http://www.w3.org/2000/svg", pen = document.createElement("canvas").getContext("2d");
  const font = '12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

  // part adds an element to another one.
  function part(to, name, attributes, text) {
    const e = document.createElementNS(NS, name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    to.append(e);
    return e;
  }
  function wide(text) { pen.font = font; return pen.measureText(text).width; }
  // cut shortens a text to a width.
  function cut(text, most) {
    if (text.length > 300) text = text.slice(0, 300) + "…";
    if (wide(text) <= most) return text;
    let low = 0, high = text.length;
    while (low < high) { const m = (low + high + 1) >> 1; if (wide(text.slice(0, m) + "…") <= most) low = m; else high = m - 1; }
    return text.slice(0, low) + "…";
  }

  // steps returns about n round numbers in a stretch, and the distance between them.
  function steps(from, to, n) {
    const rough = (to - from) / Math.max(n, 1), power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough * 0.999), all = [];
    for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) all.push(i * step);
    return { step, all };
  }
  // label returns the text of a round number among others that are a step apart.
  function label(x, step, most) {
    for (const [unit, from] of [[" G", 1e9], [" M", 1e6], [" k", 1e4]]) {
      if (most >= from) return x === 0 ? "0" : label1(x / (unit === " k" ? 1e3 : from), step / (unit === " k" ? 1e3 : from)) + unit;
    }
    return label1(x, step);
  }
  function label1(x, step) {
    if (x !== 0 && (Math.abs(x) < 1e-4 || Math.abs(x) >= 1e7)) return x.toExponential(2).replace(/\.?0+e/, "e");
    return x.toFixed(Math.min(Math.max(Math.ceil(-Math.log10(step) - 1e-9), 0), 12));
  }
  const second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;
  const periods = [1, 2, 5, 10, 30].map((x) => x * second).concat([1, 2, 5, 10, 30].map((x) => x * minute), [1, 2, 3, 6, 12].map((x) => x * hour),
    [1, 2, 7, 14, 30, 60, 91, 182, 365, 730, 1825, 3650].map((x) => x * day));
  const clock = (ms) => new Date(ms).toISOString().slice(0, 19).replace("T", " ") + " UTC";

  // axis returns a scale: at(value) is a place from 0 to 1, and marks(n) about n of them with their texts.
  function axis(kind, values, size) {
    if (kind === "even") {
      return { kind, at: (i) => (i + 0.5) / size.length, marks: () => size.map((text, i) => [i, text]) };
    }
    let least = Infinity, most = -Infinity;
    for (const v of values) { if (v < least) least = v; if (v > most) most = v; }
    if (!values.length) { least = kind === "log" ? 1 : 0; most = kind === "log" ? 10 : 1; }
    if (kind === "log") {
      let low = Math.log10(least), high = Math.log10(most);
      const room = Math.max((high - low) * 0.04, high === low ? 0.3 : 0);
      low -= room;
      high += room;
      return { kind, at: (v) => (Math.log10(v) - low) / (high - low), marks(n) {
        const all = [], each = (high - low) / n > 0.34 ? [1] : (high - low) / n > 0.15 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
        const skip = Math.max(1, Math.round((high - low) / n));
        for (let d = Math.floor(low); d <= Math.ceil(high); d++) {
          if (each.length === 1 && d % skip) continue;
          for (const m of each) { const v = m * Math.pow(10, d); if (Math.log10(v) >= low && Math.log10(v) <= high) all.push([v, sheet.text(v)]); }
        }
        if (all.length > 1) return all;
        const s = steps(Math.pow(10, low), Math.pow(10, high), n);
        return s.all.filter((v) => v > 0).map((v) => [v, label(v, s.step, most)]);
      } };
    }
    if (kind === "zero") { least = Math.min(least, 0); most = Math.max(most, 0); }
    let room = (most - least) * (kind === "time" || kind === "linear" ? 0.03 : 0.06);
    if (!(room > 0)) room = kind === "time" ? minute : Math.abs(most) * 0.1 || 1;
    const low = kind === "zero" && least === 0 ? 0 : least - room, high = kind === "zero" && most === 0 && least < 0 ? 0 : most + room;
    return { kind, at: (v) => (v / 2 - low / 2) / (high / 2 - low / 2), marks(n) {
      if (kind !== "time") {
        const s = steps(low, high, n);
        return s.all.map((v) => [v, label(v, s.step, Math.max(Math.abs(low), Math.abs(high)))]);
      }
      const step = periods.find((p) => (high - low) / p <= n) || Math.ceil((high - low) / n / 3650 / day) * 3650 * day, all = [];
      for (let t = Math.ceil(low / step) * step; t <= high; t += step) {
        const text = new Date(t).toISOString();
        all.push([t, step >= day ? text.slice(0, 10) : step >= minute ? text.slice(5, 16).replace("T", " ") : text.slice(11, 19)]);
      }
      return all;
    } };
  }

  // sign returns the path of a mark: each of five shapes has about the same area.
  function sign(shape, x, y, r) {
    const p = (dx, dy) => (x + dx * r).toFixed(1) + " " + (y + dy * r).toFixed(1);
    switch (shape % 5) {
      case 1: return "M" + p(-0.9, -0.9) + "L" + p(0.9, -0.9) + "L" + p(0.9, 0.9) + "L" + p(-0.9, 0.9) + "Z";
      case 2: return "M" + p(0, -1.25) + "L" + p(1.15, 0.85) + "L" + p(-1.15, 0.85) + "Z";
      case 3: return "M" + p(0, -1.3) + "L" + p(1.3, 0) + "L" + p(0, 1.3) + "L" + p(-1.3, 0) + "Z";
      case 4: return "M" + p(0, 1.25) + "L" + p(1.15, -0.85) + "L" + p(-1.15, -0.85) + "Z";
    }
    return "M" + p(-1, 0) + "a" + r + " " + r + " 0 1 0 " + 2 * r + " 0a" + r + " " + r + " 0 1 0 " + -2 * r + " 0Z";
  }

  // looks returns colour and shape of a line: 40 differ.
  const looks = (i) => ({ colour: "c" + i % 8, shape: (Math.floor(i / 8) + i) % 5 });

  return { part, wide, cut, axis, sign, looks, clock };
})();
