"use strict";
(() => {
  const names = JSON.parse(document.getElementById("names").textContent), tip = document.getElementById("tip");
  const said = new Map(); // what a mark says: its title, which would be a second text next to the tip

  // save stores something as a file of the user.
  function save(blob, name) {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  // show shows what a mark says next to it, and hides it without a mark.
  let here = null;
  function show(mark) {
    if (here) here.classList.remove("here");
    here = mark;
    tip.textContent = "";
    if (!mark) return;
    mark.classList.add("here");
    const group = mark.closest("[data-point]"), name = names[group.dataset.point];
    tip.textContent = (mark !== group && name ? name + ", " : "") + said.get(mark);
    const box = mark.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(box.left + box.width / 2 + 8, innerWidth - tip.offsetWidth - 4)) + "px";
    tip.style.top = Math.max(4, box.top - tip.offsetHeight - 6) + "px";
  }

  // choose makes a dot's run the one of its row.
  function choose(figure, mark) {
    if (!mark || mark.tagName !== "circle") return;
    const point = mark.closest("[data-point]").dataset.point, row = figure.querySelector(`tr[data-point="${point}"]`);
    const details = row && row.querySelector("details"), k = /^replication (\d+)/.exec(said.get(mark));
    if (!details || !k) return;
    for (const number of details.querySelectorAll(".k")) number.textContent = k[1];
    details.open = true;
  }

  // picture draws the charts of a figure on a light ground.
  async function picture(figure) {
    const parts = [...figure.querySelectorAll(".plots svg")], gap = 12, size = (svg) => svg.viewBox.baseVal;
    const columns = parts.filter((p) => !p.matches(".key")).length > 1 ? 2 : 1, width = columns * 480;
    let y = 34, column = 0, rowHigh = 0, body = "";
    const dots = document.getElementById("show");
    for (const svg of parts) {
      const copy = svg.cloneNode(true);
      for (const mark of copy.querySelectorAll(".here")) mark.classList.remove("here");
      if (dots && !dots.checked) for (const d of copy.querySelectorAll(".dots")) d.remove();
      copy.setAttribute("x", column * 480);
      copy.setAttribute("y", y);
      copy.setAttribute("width", 480);
      copy.setAttribute("height", size(svg).height);
      body += new XMLSerializer().serializeToString(copy);
      rowHigh = Math.max(rowHigh, size(svg).height);
      column = svg.matches(".key") ? columns : column + 1;
      if (column >= columns) [y, column, rowHigh] = [y + rowHigh + gap, 0, 0];
    }
    const height = Math.ceil(y + (column ? rowHigh + gap : 0));
    const title = document.createElementNS("http://www.w3.org/2000/svg", "text");
    title.textContent = figure.querySelector("h2").textContent;
    for (const [name, value] of Object.entries({ x: 14, y: 24, class: "head" })) title.setAttribute(name, value);
    const css = document.getElementById("light").textContent + document.getElementById("chart").textContent;
    const whole = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><style>${css}</style>` +
      `<rect width="${width}" height="${height}" style="fill: var(--card)"/>${new XMLSerializer().serializeToString(title)}${body}</svg>`;
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(whole);
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
    canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  for (const figure of document.querySelectorAll("figure")) {
    const file = figure.dataset.file, plots = figure.querySelector(".plots");
    for (const button of figure.querySelectorAll(".csv")) {
      button.addEventListener("click", () => {
        const text = JSON.parse(figure.querySelector("script." + button.dataset.of).textContent);
        save(new Blob([text], { type: "text/csv" }), file + (button.dataset.of === "runs" ? "-replications.csv" : ".csv"));
      });
    }
    for (const button of figure.querySelectorAll(".copy")) {
      button.addEventListener("click", () => {
        const line = button.previousElementSibling, said = (text) => { button.textContent = text; };
        const copied = navigator.clipboard ? navigator.clipboard.writeText(line.textContent) : Promise.reject(new Error("no clipboard"));
        copied.then(() => said("Copied"), () => {
          getSelection().selectAllChildren(line);
          said("Selected, to be copied");
        });
      });
    }
    if (!plots) continue;
    figure.querySelector(".png").addEventListener("click", async () => save(await picture(figure), file + ".png"));
    const marks = [...plots.querySelectorAll(".bar, circle")];
    for (const mark of marks) {
      const title = mark.querySelector("title");
      said.set(mark, title.textContent);
      title.remove();
    }
    const visible = (mark) => mark.getClientRects().length > 0;
    // nearest returns the mark under the pointer, or next to it.
    function nearest(e) {
      let best = null, least = 14;
      for (const mark of plots.querySelectorAll(".mark, circle")) {
        const box = mark.getBoundingClientRect();
        const away = Math.hypot(box.left + box.width / 2 - e.clientX, box.top + box.height / 2 - e.clientY);
        if (box.width && away < least && !mark.closest(".key")) [best, least] = [mark, away];
      }
      return best && (best.closest(".bar") || best);
    }
    plots.addEventListener("pointermove", (e) => show(nearest(e) || e.target.closest(".bar")));
    plots.addEventListener("pointerleave", () => show(null));
    plots.addEventListener("click", (e) => { const mark = nearest(e); show(mark); choose(figure, mark); });
    plots.addEventListener("blur", () => show(null));
    plots.addEventListener("keydown", (e) => {
      // Left and right lead to each mark, up and down to the intervals.
      const bars = e.key === "ArrowUp" || e.key === "ArrowDown", all = marks.filter((m) => visible(m) && (!bars || m.matches(".bar")));
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
      let at = all.indexOf(here);
      if (step && at < 0 && here) at = all.indexOf(here.closest(".dots").nextElementSibling) - (step > 0 ? 1 : 0);
      if (step) show(all[(at + step + all.length) % all.length] || all[0]);
      else if (e.key === "Home") show(all[0]);
      else if (e.key === "End") show(all[all.length - 1]);
      else if (e.key === "Escape") show(null);
      else if (e.key === "Enter") choose(figure, here);
      else return;
      e.preventDefault();
    });
  }
  addEventListener("scroll", () => show(null), { passive: true });
  // On paper, all is open.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const d of closed) d.open = true;
  });
  addEventListener("afterprint", () => { for (const d of closed) d.open = false; });
})();
