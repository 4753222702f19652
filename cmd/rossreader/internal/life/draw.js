// Paper: a canvas, or the text of an SVG file, which are drawn on in the same way.
const paper = (function () {
  "use strict";
  const font = 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

  // onCanvas returns a pen for a canvas, which gets a size in CSS pixels.
  function onCanvas(canvas, width, height) {
    const scale = Math.min(window.devicePixelRatio || 1, 3);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = height + "px";
    const c = canvas.getContext("2d");
    c.setTransform(scale, 0, 0, scale, 0, 0);
    return {
      rect(x, y, w, h, fill, opacity) {
        c.globalAlpha = opacity === undefined ? 1 : opacity;
        c.fillStyle = fill;
        c.fillRect(x, y, w, h);
        c.globalAlpha = 1;
      },
      // lines draws pieces: each is a list x, y, x, y ...
      lines(pieces, colour, stroke, dash) {
        c.strokeStyle = colour;
        c.lineWidth = stroke || 1;
        c.setLineDash(dash || []);
        c.beginPath();
        for (const p of pieces) for (let i = 0; i < p.length; i += 2) i ? c.lineTo(p[i], p[i + 1]) : c.moveTo(p[i], p[i + 1]);
        c.stroke();
        c.setLineDash([]);
      },
      area(points, fill, opacity) {
        c.globalAlpha = opacity;
        c.fillStyle = fill;
        c.beginPath();
        for (let i = 0; i < points.length; i += 2) i ? c.lineTo(points[i], points[i + 1]) : c.moveTo(points[i], points[i + 1]);
        c.fill();
        c.globalAlpha = 1;
      },
      dots(points, r, fill) {
        c.fillStyle = fill;
        c.beginPath();
        for (let i = 0; i < points.length; i += 2) {
          c.moveTo(points[i] + r, points[i + 1]);
          c.arc(points[i], points[i + 1], r, 0, 7);
        }
        c.fill();
      },
      // text draws a text, cut to a width if one is given.
      text(x, y, text, fill, size, anchor, most) {
        c.fillStyle = fill;
        c.font = size + "px " + font;
        c.textAlign = anchor || "left";
        if (most !== undefined && c.measureText(text).width > most) {
          let keep = text.length;
          while (keep > 0 && c.measureText(text.slice(0, keep) + "…").width > most) keep = keep > 20 ? Math.floor(keep * 0.8) : keep - 1;
          if (keep < 2) return;
          text = text.slice(0, keep) + "…";
        }
        c.fillText(text, x, y);
      },
    };
  }

  // onSVG returns a pen whose text() is what has been drawn.
  function onSVG() {
    const out = [], n = (x) => String(Math.round(x * 100) / 100);
    const escape = (s) => String(s).replace(/[<>&"]/g, (c) => ({ "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" })[c]).replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, "�");
    const path = (p) => { let d = ""; for (let i = 0; i < p.length; i += 2) d += (i ? "L" : "M") + n(p[i]) + " " + n(p[i + 1]); return d; };
    return {
      rect(x, y, w, h, fill, opacity) {
        out.push(`<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}"${opacity === undefined ? "" : ` opacity="${opacity}"`}/>`);
      },
      lines(pieces, colour, stroke, dash) {
        const d = pieces.map(path).join("");
        if (d) out.push(`<path d="${d}" fill="none" stroke="${colour}" stroke-width="${stroke || 1}"${dash ? ` stroke-dasharray="${dash.join(" ")}"` : ""}/>`);
      },
      area(points, fill, opacity) { out.push(`<path d="${path(points)}Z" fill="${fill}" opacity="${opacity}"/>`); },
      dots(points, r, fill) {
        for (let i = 0; i < points.length; i += 2) out.push(`<circle cx="${n(points[i])}" cy="${n(points[i + 1])}" r="${r}" fill="${fill}"/>`);
      },
      text(x, y, text, fill, size, anchor, most) {
        if (most !== undefined && text.length * size * 0.55 > most) {
          const keep = Math.floor(most / (size * 0.55)) - 1;
          if (keep < 2) return;
          text = text.slice(0, keep) + "…";
        }
        const at = anchor === "right" ? "end" : anchor === "center" ? "middle" : "start";
        out.push(`<text x="${n(x)}" y="${n(y)}" fill="${fill}" font-size="${size}" text-anchor="${at}">${escape(text)}</text>`);
      },
      file(width, height) {
        return `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}" font-family='${font}'>` +
          `<rect width="100%" height="100%" fill="${sheet.colour("card")}"/>${out.join("")}</svg>`;
      },
    };
  }

  // shifted returns a pen that draws lower down.
  function shifted(pen, by) {
    const down = (p) => p.map((v, i) => (i % 2 ? v + by : v));
    return {
      rect: (x, y, w, h, fill, opacity) => pen.rect(x, y + by, w, h, fill, opacity),
      lines: (pieces, colour, stroke, dash) => pen.lines(pieces.map(down), colour, stroke, dash),
      area: (points, fill, opacity) => pen.area(down(points), fill, opacity),
      dots: (points, r, fill) => pen.dots(down(points), r, fill),
      text: (x, y, text, fill, size, anchor, most) => pen.text(x, y + by, text, fill, size, anchor, most),
    };
  }

  // ticks returns round numbers between two, about as many as wanted.
  function ticks(from, to, wanted) {
    const rough = (to - from) / Math.max(wanted, 1), power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
    const all = [];
    for (let k = Math.ceil(from / step); k * step <= to + step * 1e-9 && all.length < 100; k++) all.push(k * step);
    return { step: step, at: all };
  }

  return { onCanvas, onSVG, shifted, ticks };
})();
