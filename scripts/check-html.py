#!/usr/bin/env python3
"""Opens report pages in headless Chromium, and says what is wrong with them.

    scripts/check-html.py [--shots DIR] PAGE...

Of every page: nothing on the console, no request to anywhere, nothing wider than the window at 1280 and at 400 pixels (charts shrink,
a wide table scrolls in a box of its own), every table of figures sorts by every column (numbers by size, what is blank last, `aria-sort` set), also
by keyboard, every chart is drawn on the paper of the page and its data is a table, no text in a chart is cut off or runs into another,
texts differ enough from what is behind them in light and dark. With --shots, pictures of it and a PDF as printed go to DIR. Exits 1 if
something is wrong.

Needs Chromium (Debian: apt-get install chromium), and nothing else: it speaks the DevTools protocol over a pipe.
"""

import argparse
import atexit
import base64
import contextlib
import csv
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.parse

WIDTHS = (1280, 400)

# The contrast that WCAG 2 asks of texts (level AA).
CONTRAST = 4.5

# What sticks out of the window, but for what is in a box that scrolls.
OVERFLOW = """
(() => {
  const out = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) out.push(`the page is ${wide} pixels wide`);
  for (const element of document.querySelectorAll("main *, nav *")) {
    if (element.closest("svg, .scroll, pre")) continue;
    const box = element.getBoundingClientRect();
    if (box.right > innerWidth + 0.5 || box.left < -0.5) {
      out.push(`<${element.tagName.toLowerCase()}> ${element.textContent.trim().slice(0, 40)}`);
    }
  }
  for (const box of document.querySelectorAll(".scroll")) {
    if (getComputedStyle(box).overflowX !== "auto") out.push("a box does not scroll");
    const chart = box.closest("figure.chart");
    if (chart && box.scrollWidth > box.clientWidth) out.push(`${chart.id} is wider than its box`);
  }
  return out.slice(0, 5);
})()
"""

# Presses every heading twice, and compares with an order of its own.
SORTS = """
(() => {
  const out = [];
  const blank = (text) => text === "" || text.startsWith("\\u2013");
  const number = (text) => {
    const found = text.replace(/\\u2212/g, "-").replace(/\\u221e/g, "Infinity").match(/[-+]?(Infinity|[0-9.]+(e[-+]?[0-9]+)?)/);
    return Number(found[0]);
  };
  for (const table of document.querySelectorAll("table")) {
    const name = table.closest("figure").id;
    const rows = () => [...table.tBodies[0].rows];
    const contents = () => rows().map((row) => row.textContent).sort().join("\\n");
    const before = contents();
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = head.querySelector("button");
      const sorts = table.classList.contains("sorts") && new Set(rows().map((row) => row.cells[column].textContent)).size > 1;
      if (sorts !== Boolean(button)) out.push(`${name}: column ${column} has ${button ? "a" : "no"} button`);
      if (!button) return;
      for (const order of ["ascending", "descending"]) {
        button.click();
        const sorted = heads.filter((other) => other.hasAttribute("aria-sort"));
        if (sorted.length !== 1 || head.getAttribute("aria-sort") !== order) out.push(`${name}: column ${column} is not ${order}`);
        const cells = rows().map((row) => row.cells[column].textContent.trim());
        const first = cells.findIndex(blank);
        const known = first < 0 ? cells : cells.slice(0, first);
        if (first >= 0 && !cells.slice(first).every(blank)) out.push(`${name}: column ${column}: blank cells are not last`);
        const sign = order === "ascending" ? 1 : -1;
        const numeric = head.classList.contains("n");
        for (let i = 1; i < known.length; i++) {
          const [a, b] = [known[i - 1], known[i]];
          const wrong = numeric ? sign * number(a) > sign * number(b)
            : sign * a.localeCompare(b, "en", { numeric: true }) > 0;
          if (wrong) { out.push(`${name}: column ${column}: ${a} before ${b}, ${order}`); break; }
        }
      }
    });
    if (contents() !== before) out.push(`${name}: rows have changed`);
  }
  return out.slice(0, 5);
})()
"""

CHARTS = """
[...document.querySelectorAll("figure.chart")].map((chart) => {
  const box = chart.querySelector("svg").getBoundingClientRect();
  return { id: chart.id, wide: box.width, high: box.height, shapes: chart.querySelectorAll("svg *").length,
           data: chart.querySelector("a[download]").getAttribute("href") };
})
"""

# Texts of charts that are cut off, or that run into each other.
LABELS = """
(() => {
  const out = [];
  for (const chart of document.querySelectorAll("figure.chart")) {
    const sheet = chart.querySelector("svg").getBoundingClientRect();
    const texts = [...chart.querySelectorAll("svg text")].map((text) => ({ words: text.textContent.trim(), box: text.getBoundingClientRect() }));
    texts.forEach(({ words, box }, index) => {
      if (box.left < sheet.left || box.right > sheet.right || box.top < sheet.top || box.bottom > sheet.bottom) {
        out.push(`${chart.id}: "${words}" is cut off`);
      }
      for (const other of texts.slice(index + 1)) {
        const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (wide > 1 && high > 0.25 * Math.min(box.height, other.box.height)) {
          out.push(`${chart.id}: "${words}" runs into "${other.words}"`);
        }
      }
    });
  }
  return out.slice(0, 5);
})()
"""

# Charts whose paper is not that of the page.
PAPERS = """
[...document.querySelectorAll("figure.chart")].filter((chart) =>
  getComputedStyle(chart.querySelector("svg rect")).fill !== getComputedStyle(document.body).backgroundColor
).map((chart) => `${chart.id}: it has another paper than the page`)
"""

# Texts with their colours, and those of the first opaque thing behind them.
COLOURS = """
(() => {
  const seen = new Map();
  for (const element of document.querySelectorAll("main *, nav *")) {
    if (element.closest("svg")) continue;
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own) continue;
    let behind = element;
    const see_through = (of) => /, 0\\)|transparent/.test(getComputedStyle(of).backgroundColor);
    while (behind.parentElement && see_through(behind)) behind = behind.parentElement;
    const pair = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor];
    seen.set(pair.join(" on "), [...pair, element.tagName.toLowerCase()]);
  }
  return [...seen.values()];
})()
"""


class Browser:
    """A browser with one page, spoken to over a pipe; it ends with this program."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="check-html.")
        (read_there, self.write), (self.read, write_there) = os.pipe(), os.pipe()

        def fds():
            # The browser reads 3 and writes 4.
            there = [os.dup(read_there), os.dup(write_there)]
            os.dup2(there[0], 3)
            os.dup2(there[1], 4)

        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
                 f"--user-data-dir={self.profile}", "about:blank"]
        self.process = subprocess.Popen([program, *flags], preexec_fn=fds, close_fds=False,
                                        start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.close)
        os.close(read_there)
        os.close(write_there)
        self.rest, self.last, self.session, self.events = b"", 0, None, []
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self.session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.read, 1 << 16)
            if not more:
                sys.exit("check-html: the browser has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def __call__(self, method, **parameters):
        self.last += 1
        call = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.write, json.dumps(call).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.last:
                if "error" in message:
                    sys.exit(f"check-html: {method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def evaluate(self, script):
        result = self("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"check-html: {result['exceptionDetails']}")
        return result["result"].get("value")

    def open(self, address):
        self.events.clear()
        self("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())

    def size(self, width, height=900):
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        self("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": name}])

    def picture(self, path):
        height = self.evaluate("document.documentElement.scrollHeight")
        width = self.evaluate("innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, 16000), "scale": 1}
        shot = self("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        self.process.terminate()
        self.process.wait()
        # Its helpers outlive it by a moment, and write into the profile while it is removed.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        shutil.rmtree(self.profile, ignore_errors=True)


def said(events, address):
    """What is on the console, and what was asked of others."""
    for event in events:
        method, of = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            yield f"an exception: {of['exceptionDetails'].get('text')}"
        elif method == "Runtime.consoleAPICalled":
            yield f"on the console: {of['type']} {[argument.get('value') for argument in of['args']]}"
        elif method == "Log.entryAdded":
            yield f"on the console: {of['entry']['text']}"
        elif method == "Network.requestWillBeSent":
            url = of["request"]["url"]
            if url != address and not url.startswith("data:"):
                yield f"asked for {url}"


def bad_charts(charts):
    for chart in charts:
        if chart["wide"] < 300 or chart["high"] < 100 or chart["shapes"] < 10:
            yield f"{chart['id']}: there is nothing in it"
        kind, _, data = chart["data"].partition(",")
        rows = list(csv.reader(io.StringIO(urllib.parse.unquote(data))))
        if not kind.startswith("data:text/csv") or not rows or any(len(row) != len(rows[0]) for row in rows):
            yield f"{chart['id']}: its data is no table: {data[:60]}"


def luminance(colour):
    def linear(part):
        part = int(part) / 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
    red, green, blue = (linear(part) for part in colour[colour.index("(") + 1:-1].split(",")[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def pale(colours):
    for ink, paper, element in colours:
        light, dark = sorted((luminance(ink), luminance(paper)), reverse=True)
        contrast = (light + 0.05) / (dark + 0.05)
        if contrast < CONTRAST:
            yield f"<{element}>: {ink} on {paper} has a contrast of {contrast:.1f}"


def by_keyboard(browser):
    """Sorts the first table that can be by the Enter key."""
    focus = "(() => { const b = document.querySelector('th button'); b?.focus(); return !!b; })()"
    browser.open(browser.evaluate("location.href"))
    if not browser.evaluate(focus):
        return []
    for kind in ("keyDown", "keyUp"):
        browser("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    sort = browser.evaluate("document.activeElement.closest('th')?.getAttribute('aria-sort')")
    return [] if sort == "ascending" else [f"the Enter key does not sort ({sort})"]


def check(browser, page, shots):
    address = page.resolve().as_uri()
    wrong = []
    for scheme in ("light", "dark"):
        browser.scheme(scheme)
        for width in WIDTHS:
            where = f"{width} pixels, {scheme}: "
            browser.size(width)
            browser.open(address)
            wrong += [where + what for what in said(browser.events, address)]
            wrong += [where + what for what in browser.evaluate(OVERFLOW)]
            wrong += [where + what for what in browser.evaluate(PAPERS)]
            wrong += [where + what for what in pale(browser.evaluate(COLOURS))]
            if shots:
                browser.picture(shots / f"{page.resolve().parent.name}-{page.stem}-{scheme}-{width}.png")
    browser.scheme("light")
    wrong += bad_charts(browser.evaluate(CHARTS))
    wrong += browser.evaluate(LABELS)
    wrong += browser.evaluate(SORTS)
    wrong += by_keyboard(browser)
    printed = base64.b64decode(browser("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])
    if not printed.startswith(b"%PDF"):
        wrong.append("it cannot be printed")
    if shots:
        (shots / f"{page.resolve().parent.name}-{page.stem}.pdf").write_bytes(printed)
    wrong += said(browser.events, address)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shots", type=pathlib.Path, metavar="DIR", help="where pictures go")
    parser.add_argument("pages", nargs="+", type=pathlib.Path, metavar="PAGE")
    args = parser.parse_args()
    for page in args.pages:
        if not page.is_file():
            sys.exit(f"check-html: {page}: there is no such page")
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        sys.exit("check-html: there is no Chromium on the path")
    if args.shots:
        args.shots.mkdir(parents=True, exist_ok=True)
    browser = Browser(program)
    bad = 0
    for page in args.pages:
        wrong = check(browser, page, args.shots)
        bad += bool(wrong)
        print(f"{page}: {'good' if not wrong else 'bad'}")
        for what in wrong:
            print(f"  {what}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
