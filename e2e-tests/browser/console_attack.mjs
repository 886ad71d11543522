// Opens every page of the console on an installation that is full of text which tries to be code, with its dialogs and
// what is folded, and looks for any that was taken for more than text. Reads its task as JSON from standard input, and
// prints its findings as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { fill, MARK, seeded } from "./hostile_data.mjs";

const task = JSON.parse(readFileSync(0, "utf8"));
const gateway = task.gateway.replace(/\/$/, "");
const WAIT_MILLIS = 60_000;
const QUIET_MILLIS = 300;

/** Buttons that open a dialog with something that was filled in before, by page. */
const DIALOGS = {
  run: ["Run again", "Retry"],
  "run-fails": ["Rerun from this step"],
  asked: ["Approve", "Deny", "Skip this step"],
  approvals: ["Approve"],
  schedule: ["Edit", "Backfill"],
  trigger: ["Edit", "Try a call"],
  "trigger-event": ["Edit"],
  alert: ["Edit"],
  secrets: ["New value"],
  handler: ["Edit"],
};

const findings = [];
const seen = new Set();
const { fields, pages } = await fill(gateway, seeded(task.seed));
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});

/** What is on the page that must not be, and all that a person can read there; in the shadows, too. */
function inspect() {
  const found = [];
  const texts = [document.title];
  const visit = (root) => {
    texts.push((root.body ?? root).textContent ?? "");
    for (const element of root.querySelectorAll("*")) {
      if (element.hasAttribute("data-attack")) {
        found.push(`text became an element: ${element.outerHTML.slice(0, 200)}`);
      }
      for (const { name, value } of element.attributes) {
        if (name.startsWith("on")) {
          found.push(`an element has code in ${name}: ${value.slice(0, 200)}`);
        }
        if (/^(href|src|action|formaction|xlink:href)$/.test(name)) {
          const address = URL.canParse(value, document.baseURI) ? new URL(value, document.baseURI) : undefined;
          const isCode = /^(javascript|vbscript):$/.test(address?.protocol ?? "");
          const isDocument = address?.protocol === "data:" && !/^(img|link)$/.test(element.localName);
          if (isCode || isDocument || address?.hostname === "attack.invalid") {
            found.push(`<${element.localName}> has a live ${name}: ${value.slice(0, 200)}`);
          }
        } else {
          texts.push(value);
        }
      }
      if (typeof element.value === "string") {
        texts.push(element.value);
      }
      if (element.shadowRoot !== null) {
        visit(element.shadowRoot);
      }
    }
  };
  visit(document);
  return { found, text: texts.join("\n") };
}

async function look(page, say) {
  const { found, text } = await page.evaluate(inspect);
  found.forEach(say);
  for (const [, number] of text.matchAll(MARK)) {
    seen.add(Number(number));
  }
}

/** Waits until the page shows something, and nothing is on its way. Of streams, only the beginning is waited for. */
async function settled(page) {
  const isLoading = page.getByText("Loading…", { exact: true }).first();
  const end = Date.now() + WAIT_MILLIS;
  while (Date.now() < end) {
    const isQuiet = page.open.size === 0 && Date.now() - page.lastChange >= QUIET_MILLIS;
    if (isQuiet && !(await isLoading.isVisible())) {
      // What has arrived last is rendered with the next frame.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      return;
    }
    await page.waitForTimeout(QUIET_MILLIS / 3);
  }
  throw new Error(`The page still waits for ${[...page.open].map((request) => request.url()).join(", ") || "something"}.`);
}

/** A page that reports what it does, other than to show text. */
async function newPage(say) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  page.setDefaultTimeout(WAIT_MILLIS);
  Object.assign(page, { open: new Set(), lastChange: Date.now() });
  const done = (request) => {
    page.open.delete(request);
    page.lastChange = Date.now();
  };
  page
    .on("dialog", (dialog) => {
      say(`code was executed: ${dialog.message()}`);
      void dialog.dismiss();
    })
    .on("pageerror", (error) => say(`an exception: ${error.message}`))
    .on("console", (message) => {
      // A page that leads nowhere is answered with 404, which the browser reports.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
        say(`the browser says: ${message.text()}`);
      }
    })
    .on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^https?:$/.test(protocol) && origin !== new URL(gateway).origin) {
        say(`the page asks for ${request.url()}`);
      }
      page.lastChange = Date.now();
      if (request.isNavigationRequest()) {
        page.open.clear();
      }
      page.open.add(request);
    })
    .on("response", (response) => /\/events(\?|$)/.test(response.url()) && done(response.request()))
    .on("requestfinished", done)
    .on("requestfailed", done);
  return page;
}

/** Attacks a page for real, since a lookout that sees nothing would be content with every page. */
async function checkLookout() {
  const caught = [];
  const page = await newPage((text) => caught.push(text));
  await page.goto(`${gateway}/`);
  await page.getByRole("heading").first().waitFor();
  const isReported = page.waitForEvent("console", { predicate: (message) => message.type() === "error" });
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      "beforeend",
      `<b data-attack></b><a href="javascript:alert(1)"></a><img src="https://attack.invalid/x" onerror="alert(1)">`,
    );
  });
  await isReported;
  await look(page, (text) => caught.push(text));
  for (const sign of ["became an element", "live href", "code in onerror", "Content Security Policy"]) {
    if (!caught.some((text) => text.includes(sign))) {
      findings.push(`the lookout does not see what it should call "${sign}"`);
    }
  }
  await page.close();
}

await checkLookout();
let name = "";
const say = (text) => findings.push(`${name}: ${text}`);
const page = await newPage(say);
for (const [page_name, path] of Object.entries(pages)) {
  name = page_name;
  try {
    await page.goto(gateway + path);
    await page.getByRole("heading").or(page.locator("form, [role=alert]")).first().waitFor();
    await settled(page);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) {
        details.open = true;
      }
    });
    await settled(page);
    await page.screenshot({ path: join(task.pictures, `${name}.png`), fullPage: true });
    await look(page, say);
    for (const button of DIALOGS[name] ?? []) {
      await page.getByRole("button", { name: button, exact: true }).first().click();
      await page.getByRole("dialog").waitFor();
      await settled(page);
      await look(page, say);
      await page.screenshot({ path: join(task.pictures, `${name}-${button.toLowerCase().replaceAll(" ", "-")}.png`) });
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  } catch (error) {
    await page.screenshot({ path: join(task.pictures, `${name}-failed.png`), fullPage: true });
    say(error.message);
  }
}
await browser.close();
for (const [number, field] of fields) {
  if (!seen.has(number)) {
    findings.push(`no page shows the ${field}, so nothing is known of it`);
  }
}
console.log(JSON.stringify({ findings, attacks: fields.size, pages: Object.keys(pages).length }));
