// Shows one failing execution at a time: the interleaving at the left, and at the right where every thread stands.
"use strict";
(() => {
  const report = JSON.parse(document.getElementById("report").textContent);
  const app = document.getElementById("app");
  const svgSpace = "http://www.w3.org/2000/svg";
  let error = 0; // which of report.errors
  let position = 1; // 1…n: a step; n + 1: how it ended
  let view = null; // what the current error is shown by

  const make = (tag, properties = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(properties))
      if (key in element && key !== "list") element[key] = value;
      else element.setAttribute(key, value);
    element.append(...children.filter((child) => child !== null));
    return element;
  };
  const draw = (tag, attributes, parent) => {
    const element = document.createElementNS(svgSpace, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  };
  const colour = (thread) => `var(--t${thread % 6})`;
  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : word.endsWith("ch") ? "es" : "s"}`;

  const textOf = (event) => event.values ? `${event.operation}: ${event.values}` : event.operation;

  // One list of rows: the steps, then what every thread waits for, or where one failed.
  const rowsOf = (bug) => {
    const index = new Map(bug.threads.map((thread, i) => [thread.name, i]));
    const rows = bug.events.map((event) => ({ ...event, thread: index.get(event.thread), text: textOf(event) }));
    const end = bug.waiting.map((blocked) => ({
      ...blocked, thread: index.get(blocked.thread), end: true,
      text: `blocked: ${blocked.operation}`,
    }));
    for (const part of bug.output || []) {
      const last = part.after > 0 ? rows[Math.min(part.after, rows.length) - 1] : null;
      if (last) last.prints = (last.prints || "") + part.text;
    }
    if (bug.failure) end.push({ ...bug.failure, thread: index.get(bug.failure.thread), end: true, text: bug.kind });
    return { rows: rows.concat(end), steps: rows.length, end: end.length > 0 };
  };

  // The locks that each thread holds after step p.
  const locksAt = (bug, p) => {
    const held = bug.threads.map(() => []);
    bug.events.slice(0, p).forEach((event) => {
      const list = held[bug.threads.findIndex((thread) => thread.name === event.thread)];
      if (event.releases && list.includes(event.releases)) list.splice(list.indexOf(event.releases), 1);
      if (event.acquires) list.push(event.acquires);
    });
    return held;
  };

  // What is known of shared variables after step p: the value that the last step on each found or left there.
  const memoryAt = (bug, p) => {
    const memory = new Map();
    bug.events.slice(0, p).forEach((event, i) => {
      if (!event.values || !event.object) return;
      // `3`, `3 -> 4`, `found 1, expected 0`
      const value = event.values.replace(/^.* -> /, "").replace(/^found (.*), expected .*$/, "$1");
      memory.set(event.object, { value, changed: i === p - 1 });
    });
    return memory;
  };

  const header = (bug) => {
    const [first, ...more] = bug ? bug.message.split("\n") : [report.headline];
    const [, word, said] = report.headline.match(/^([a-z-]+): (.*)$/s) ?? [, report.result, report.headline];
    const box = make("header", {},
      make("h1", {}, make("span", { className: bug ? "badge" : `badge ${report.result}` }, bug ? bug.kind : word),
        bug ? first : said));
    if (more.length) box.append(make("pre", { className: "detail" }, more.join("\n")));
    const facts = [report.system];
    if (bug) facts.push(plural(bug.events.length, "step"),
      (bug.minimal ? "minimal: " : "") + plural(bug.context_switches, "context switch"));
    facts.push(`${plural(report.executions, "execution")} explored`);
    box.append(make("p", { className: "facts" }, facts.join(" · ")));
    if (bug && bug.replay) box.append(make("p", { className: "facts" }, "replay it with ", make("code", {}, bug.replay)));
    if (bug && bug.explanation)
      box.append(make("ul", { className: "why" }, ...bug.explanation.map((line) => make("li", {}, line))));
    for (const note of report.notes.concat(bug ? bug.warnings.map((warning) => `warning: ${warning}`) : []))
      box.append(make("p", { className: "notes" }, note));
    return box;
  };

  const lanes = (bug, list, svg) => {
    svg.replaceChildren();
    const style = getComputedStyle(document.documentElement);
    const lane = parseFloat(style.getPropertyValue("--lane"));
    const row = parseFloat(style.getPropertyValue("--row"));
    const x = (thread) => (thread + 0.5) * lane + 6;
    const y = (i) => (i + 0.5) * row;
    svg.setAttribute("width", bug.threads.length * lane + 12);
    svg.setAttribute("height", list.rows.length * row);
    const definitions = draw("defs", {}, svg);
    for (const name of ["tip", "tip-lit"]) {
      const tip = draw("marker", { id: name, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
        orient: "auto", markerUnits: "userSpaceOnUse" }, definitions);
      draw("path", { d: "M0 0 L8 4 L0 8 z", class: name }, tip);
    }
    bug.threads.forEach((thread, t) => {
      const own = list.rows.map((entry, i) => (entry.thread === t ? i : -1)).filter((i) => i >= 0);
      if (!own.length) return;
      const last = own[own.length - 1];
      const waits = list.rows[last].end;
      const begin = thread.created ? thread.created - 1 : own[0];
      const middle = waits && own.length > 1 ? own[own.length - 2] : waits ? begin : last;
      draw("line", { x1: x(t), x2: x(t), y1: y(begin), y2: y(middle), class: "lane", stroke: colour(t) }, svg);
      if (waits) draw("line", { x1: x(t), x2: x(t), y1: y(middle), y2: y(last), class: "lane waits", stroke: colour(t) }, svg);
    });
    const arrows = [];
    list.rows.forEach((entry, to) => {
      for (const number of entry.after || []) {
        const from = number - 1;
        const a = list.rows[from].thread;
        const [x1, y1, x2, y2] = [x(a), y(from), x(entry.thread), y(to)];
        const side = x2 > x1 ? -7 : 7; // stop before the dot
        const bend = Math.min(row * 0.9, (y2 - y1) / 2);
        const path = draw("path", { class: "arrow", "marker-end": "url(#tip)",
          d: `M${x1} ${y1} C${x1} ${y1 + bend} ${x2 + side * 3} ${y2} ${x2 + side} ${y2}` }, svg);
        arrows.push({ from, to, path });
      }
    });
    list.rows.forEach((entry, i) => {
      if (entry.end)
        draw("path", { d: `M${x(entry.thread) - 5} ${y(i) - 5} l10 10 m0 -10 l-10 10`, stroke: "var(--bad)",
          "stroke-width": 3, "stroke-linecap": "round", fill: "none" }, svg);
      else draw("circle", { cx: x(entry.thread), cy: y(i), r: 6, class: "dot", fill: colour(entry.thread) }, svg);
    });
    return arrows;
  };

  const isSystemHeader = (path) => /^\/usr\/(include|lib)\//.test(path);

  const timeline = (bug, list) => {
    // Where all places are in one file, its name would only take room.
    const places = list.rows.filter((entry) => entry.line && !isSystemHeader(entry.path));
    const inOneFile = new Set(places.map((entry) => entry.path)).size === 1;
    const steps = make("ol", { className: "steps", tabIndex: 0, role: "listbox", ariaLabel: "Steps of the execution" });
    const width = `calc(${bug.threads.length} * var(--lane) + 14px)`;
    list.rows.forEach((entry, i) => {
      const item = make("li", { role: "option", id: `row${i + 1}`, className: entry.end ? "end" : "",
        title: `thread ${bug.threads[entry.thread].name}: ${entry.text}` },
        make("span", { className: "number" }, entry.end ? "" : String(i + 1)),
        make("span", { className: "what mono" }, entry.text,
          entry.prints ? make("span", { className: "prints" }, ` prints ${JSON.stringify(entry.prints)}`) : ""),
        places.includes(entry)
          ? make("span", { className: "at" }, inOneFile ? "" : make("span", {}, entry.file), `:${entry.line}`) : null);
      item.style.paddingLeft = width;
      item.addEventListener("click", () => go(entry.end ? list.steps + 1 : i + 1));
      steps.append(item);
    });
    const svg = document.createElementNS(svgSpace, "svg");
    svg.setAttribute("aria-hidden", "true");
    const names = make("div", { className: "names" });
    bug.threads.forEach((thread, t) => {
      const name = make("span", {}, thread.name);
      name.style.left = `calc(${t + 0.5} * var(--lane) + 9px)`;
      name.style.color = colour(t);
      names.append(name);
    });
    const box = make("section", { className: "timeline", ariaLabel: "Interleaving" }, names,
      make("div", { className: "track" }, steps, svg));
    return { box, steps, svg };
  };

  // A few lines around a place, the place itself marked.
  const excerpt = (place, context) => {
    const lines = place && place.line ? report.files[place.path] : undefined;
    if (!lines) return null;
    const box = make("pre", { className: "code" }, make("div", { className: "file" }, place.path));
    for (let n = place.line - context; n <= place.line + context; ++n)
      if (lines[n] !== undefined)
        box.append(make("div", { className: n === place.line ? "here" : "" }, make("i", {}, String(n)), lines[n] || " "));
    return box;
  };

  const state = (bug, list, t) => {
    const ended = position > list.steps;
    const current = ended ? null : list.rows[position - 1];
    const end = list.rows.find((entry) => entry.end && entry.thread === t);
    if (ended && end)
      return { acts: true, bad: true, text: end.text + (end.holder ? `, held by ${end.holder}` : ""), place: end };
    if (current && current.thread === t) return { acts: true, text: current.text, place: current };
    const created = bug.threads[t].created;
    if (created && created > position) return { text: "not created yet" };
    const next = list.rows.slice(Math.min(position, list.steps), list.steps).find((entry) => entry.thread === t);
    if (next) return { text: `next: ${next.text}`, place: next };
    if (end && end.operation) return { text: `next: ${end.operation}`, place: end };
    const own = list.rows.slice(0, list.steps).filter((entry) => entry.thread === t);
    if (own.length && own[own.length - 1].kind === "exit-thread") return { text: "has ended" };
    return { text: "takes no more steps", place: own[own.length - 1] };
  };

  const showThreads = (bug, list) => {
    const locks = locksAt(bug, Math.min(position, list.steps));
    view.threads.replaceChildren(...bug.threads.map((thread, t) => {
      const now = state(bug, list, t);
      const title = make("h2", {}, make("b", {}, thread.name),
        make("span", { className: `state mono${now.bad ? " bad" : ""}` }, now.text),
        ...locks[t].map((lock) => make("span", { className: "lock mono" }, `holds ${lock}`)));
      const card = make("article", { className: `thread${now.acts ? " acts" : ""}` }, title,
        excerpt(now.place, !now.acts ? 1 : now.bad ? 2 : 4));
      card.style.setProperty("--colour", colour(t));
      return card;
    }));
    const memory = memoryAt(bug, Math.min(position, list.steps));
    if (memory.size)
      view.threads.append(make("article", { className: "panel memory" }, make("h2", {}, make("b", {}, "memory")),
        make("dl", { className: "mono" }, ...[...memory].flatMap(([object, { value, changed }]) =>
          [make("dt", {}, object), make("dd", { className: changed ? "changed" : "" }, value)]))));
    const output = (bug.output || []).filter((part) => part.after <= position || position > list.steps);
    if (output.length)
      view.threads.append(make("article", { className: "panel output" },
        make("h2", {}, make("b", {}, "output")), make("pre", { className: "code" }, output.map((part) => part.text).join(""))));
    const acting = view.threads.querySelector(".acts");
    if (acting) view.threads.scrollTop = acting.offsetTop - view.threads.offsetTop - 40;
  };

  const go = (wanted, scrolls = true) => {
    const bug = report.errors[error];
    const list = view.list;
    const last = list.steps + (list.end ? 1 : 0);
    position = Math.max(1, Math.min(last, wanted));
    const ended = position > list.steps;
    view.steps.querySelectorAll("li").forEach((item, i) => {
      const selected = ended ? i >= list.steps : i === position - 1;
      item.setAttribute("aria-selected", String(selected));
      item.classList.toggle("later", !ended && i >= position);
    });
    view.steps.setAttribute("aria-activedescendant", `row${position}`);
    for (const arrow of view.arrows) {
      const lit = arrow.from === position - 1 || arrow.to === position - 1;
      arrow.path.classList.toggle("lit", lit);
      arrow.path.setAttribute("marker-end", lit ? "url(#tip-lit)" : "url(#tip)");
    }
    view.slider.value = position;
    view.where.textContent = ended ? "the end" : `step ${position} of ${list.steps}`;
    showThreads(bug, list);
    const item = document.getElementById(`row${position}`);
    const box = item.getBoundingClientRect();
    const top = view.covered();
    if (scrolls && (box.top < top || box.bottom > innerHeight - 70))
      scrollBy({ top: box.top - top - (innerHeight - top) / 3, behavior: "instant" });
    history.replaceState(null, "", `#${error + 1}.${position}`);
  };

  const open = (number, wanted) => {
    error = number;
    const bug = report.errors[number];
    app.replaceChildren(header(bug));
    if (report.errors.length > 1)
      app.append(make("nav", { className: "tabs" }, ...report.errors.map((other, i) => {
        const tab = make("button", { ariaPressed: String(i === number) }, `${i + 1}: ${other.kind}`);
        tab.addEventListener("click", () => open(i, 1));
        return tab;
      })));
    if (!bug) return;
    const list = rowsOf(bug);
    if (!list.rows.length) return;
    const button = (label, text, action) => {
      const element = make("button", { ariaLabel: label, title: label }, text);
      element.addEventListener("click", action);
      return element;
    };
    const slider = make("input", { type: "range", min: 1, max: list.steps + (list.end ? 1 : 0), ariaLabel: "Step" });
    slider.addEventListener("input", () => go(Number(slider.value)));
    const where = make("span", { className: "where", role: "status" });
    const controls = make("div", { className: "controls" },
      button("First step", "|◀", () => go(1)), button("Back", "◀", () => go(position - 1)), slider,
      button("Forward", "▶", () => go(position + 1)), button("The end", "▶|", () => go(Infinity)), where,
      make("span", { className: "keys" }, make("kbd", {}, "←"), " ", make("kbd", {}, "→"), " or ", make("kbd", {}, "k"),
        " ", make("kbd", {}, "j")));
    const { box, steps, svg } = timeline(bug, list);
    const threads = make("section", { className: "threads", ariaLabel: "Threads" });
    const narrow = matchMedia("(max-width: 860px)");
    const columns = make("main", { className: bug.threads.length > 6 ? "many" : "" });
    app.append(controls, columns);
    view = { list, steps, svg, slider, where, threads, arrows: [],
      covered: () => (narrow.matches ? threads.getBoundingClientRect().height : 60) };
    // With many threads the lanes move closer, so that half of the column is left for the text of the steps.
    const fitLanes = () => {
      const root = document.documentElement.style;
      root.removeProperty("--lane");
      const widest = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--lane"));
      const room = narrow.matches ? innerWidth : innerWidth / 2;
      const lane = Math.max(12, Math.min(widest, room * 0.45 / bug.threads.length));
      root.setProperty("--lane", `${lane}px`);
      const names = box.querySelector(".names");
      names.classList.remove("tight");
      const longest = Math.max(...[...names.children].map((name) => name.offsetWidth));
      const tight = lane < Math.min(widest, 34) || longest > lane;
      names.classList.toggle("tight", tight);
      names.style.height = tight ? `${longest + 10}px` : "";
    };
    const layOut = (scrolls) => {
      columns.replaceChildren(...(narrow.matches ? [threads, box] : [box, threads]));
      fitLanes(); // which measures names, so they must be in the page
      view.arrows = lanes(bug, list, svg);
      go(position, scrolls);
    };
    position = wanted;
    narrow.onchange = () => layOut(true);
    layOut(wanted > 1); // at the first step the page begins with what is wrong
  };

  document.addEventListener("keydown", (event) => {
    if (!view || event.ctrlKey || event.metaKey || event.altKey) return;
    const slides = event.target instanceof HTMLInputElement; // a slider moves by its own keys
    const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, j: 1, k: -1 };
    if (event.key === "Home" && !slides) go(1);
    else if (event.key === "End" && !slides) go(Infinity);
    else if (event.key in moves && !(slides && event.key.startsWith("Arrow"))) go(position + moves[event.key]);
    else return;
    event.preventDefault();
  });

  const [number, step] = location.hash.slice(1).split(".").map(Number);
  open(number >= 1 && number <= report.errors.length ? number - 1 : 0, step >= 1 ? step : 1);
})();
