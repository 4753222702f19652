// What the scripts of pictures have in common: data, colours, numbers, files, and the address.
const sheet = (function () {
  "use strict";
  const root = document.documentElement, button = document.getElementById("theme"), told = [];
  const data = JSON.parse(document.getElementById("data").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let kept = null, printed = false;
  try { kept = sessionStorage.getItem("theme"); } catch (e) { /* a page that may store nothing */ }

  function show(theme) {
    root.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light" : "Dark";
    for (const f of told) f();
  }
  const preferred = () => (kept === "dark" || kept === "light" ? kept : dark.matches ? "dark" : "light");
  button.addEventListener("click", () => {
    kept = root.dataset.theme === "dark" ? "light" : "dark";
    try { sessionStorage.setItem("theme", kept); } catch (e) { /* likewise */ }
    show(kept);
  });
  dark.addEventListener("change", () => show(preferred()));
  addEventListener("beforeprint", () => { if (root.dataset.theme === "dark") { printed = true; show("light"); } });
  addEventListener("afterprint", () => { if (printed) { printed = false; show("dark"); } });
  show(preferred());

  const colour = (name) => getComputedStyle(root).getPropertyValue("--" + name).trim();

  function digits(x) {
    if (x === 0) return "0";
    if (Math.abs(x) < 1e-4) return x.toExponential(2);
    return String(Number(x.toPrecision(Math.abs(x) >= 1000 ? 4 : 3)));
  }
  function text(x) {
    if (x === null || x === undefined || !isFinite(x)) return "–";
    for (const [unit, from, by] of [[" G", 1e9, 1e9], [" M", 1e6, 1e6], [" k", 1e4, 1e3]]) {
      if (Math.abs(x) >= from) return digits(x / by) + unit;
    }
    return digits(x);
  }
  function exact(x, step) {
    return x.toFixed(Math.min(Math.max(Math.ceil(1 - Math.log10(step)), 0), 12));
  }

  function save(name, type, content) {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([content], { type: type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  // svg stores an element with what the page's style gives its parts.
  const inherited = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "visibility", "display"];
  function svg(element, name) {
    const copy = element.cloneNode(true), from = [element, ...element.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((part, i) => {
      const looks = getComputedStyle(part);
      to[i].setAttribute("style", inherited.map((p) => p + ":" + looks.getPropertyValue(p)).join(";"));
    });
    const box = element.getBoundingClientRect();
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", "0 0 " + box.width + " " + box.height);
    copy.setAttribute("width", box.width);
    copy.setAttribute("height", box.height);
    copy.style.background = colour("card");
    save(name, "image/svg+xml", new XMLSerializer().serializeToString(copy));
  }

  // csv quotes what has to be quoted, and puts ' before a text that a spreadsheet would compute.
  function csv(rows) {
    return rows.map((row) => row.map((cell) => {
      let word = cell === null || cell === undefined ? "" : String(cell);
      if (typeof cell === "string" && /^[=+\-@\t\r]/.test(word) && isNaN(Number(word))) word = "'" + word;
      return /[",\n\r]/.test(word) ? '"' + word.replaceAll('"', '""') + '"' : word;
    }).join(",")).join("\n") + "\n";
  }

  function address(values) {
    const all = new URLSearchParams(location.hash.slice(1));
    for (const [name, value] of Object.entries(values || {})) {
      if (value === null || value === undefined || value === "") all.delete(name); else all.set(name, value);
    }
    if (values) history.replaceState(null, "", all.size ? "#" + all : location.pathname + location.search);
    return all;
  }

  return { data, onTheme: (f) => { told.push(f); f(); }, colour, text, exact, save, svg, csv, address };
})();
