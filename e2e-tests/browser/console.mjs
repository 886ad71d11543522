// Opens pages of the console in both themes and at two widths, and looks at each of them: what the browser says, what axe
// finds, whether anything sticks out, and whether code in names, logs or outputs was executed. Reads its task as JSON from
// standard input, and prints its findings as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = task.widths ?? [1440, 360];
const THEMES = task.themes ?? ["light", "dark"];
const WAIT_MILLIS = 60_000;

const findings = [];
const browser = await chromium.launch({
  executablePath: task.browser,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});

/** Runs axe in the page. It is not added as a script, which the content security policy would refuse. */
async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations: found } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return found
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(" | ")}`);
  });
}

async function look(page, name, { path, ready, expected }) {
  const say = (text) => findings.push(`${name}: ${text}`);
  const onConsole = (message) => message.type() === "error" && say(`the browser says: ${message.text()}`);
  const onError = (error) => say(`an exception: ${error.message}`);
  const onDialog = (dialog) => {
    say(`code was executed: ${dialog.message()}`);
    void dialog.dismiss();
  };
  page.on("console", onConsole).on("pageerror", onError).on("dialog", onDialog);
  try {
    await page.goto(task.gateway.replace(/\/$/, "") + path);
    await page.getByText(ready, { exact: false }).first().waitFor({ timeout: WAIT_MILLIS });
    for (const text of expected ?? []) {
      await page.getByText(text, { exact: false }).first().waitFor({ timeout: WAIT_MILLIS });
    }
    await page.getByText("Loading…", { exact: true }).first().waitFor({ state: "detached", timeout: WAIT_MILLIS });
    await page.screenshot({ path: join(task.pictures, `${name}.png`), fullPage: true });
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overhang > 0) {
      say(`the page is ${overhang} pixels too wide`);
    }
    for (const violation of await violations(page)) {
      say(`axe finds ${violation}`);
    }
  } catch (error) {
    await page.screenshot({ path: join(task.pictures, `${name}-failed.png`), fullPage: true });
    say(error.message);
  }
  page.off("console", onConsole).off("pageerror", onError).off("dialog", onDialog);
}

try {
  for (const theme of THEMES) {
    for (const width of WIDTHS) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme, locale: task.locale ?? "en-US", bypassCSP: false });
      const page = await context.newPage();
      for (const [name, target] of Object.entries(task.pages)) {
        await look(page, `${name}-${theme}-${width}`, target);
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify({ findings }));
