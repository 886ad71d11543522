// Looks at runs whose jobs were tried several times, as a person would: the bars of the timeline, and what the panels say of
// each attempt. Reads its task as JSON from standard input, and prints its findings as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const gateway = task.gateway.replace(/\/$/, "");
const WAIT_MILLIS = 60_000;

const findings = [];
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
page.setDefaultTimeout(WAIT_MILLIS);
page.on("pageerror", (error) => findings.push(`an exception: ${error.message}`));
page.on("console", (message) => message.type() === "error" && findings.push(`the browser says: ${message.text()}`));

const main = page.locator("main");
const attempts = () => main.getByRole("list", { name: "Attempts" }).getByRole("listitem");

/** The bars of a line that say which attempt they are, from left to right: what they say, and where they are. */
async function earlierBars(label) {
  const line = main.locator("[title]", { has: page.getByRole("button", { name: label, exact: true }) });
  const bars = line.getByText(/^attempt \d/);
  const seen = [];
  for (const bar of await bars.all()) {
    const box = await bar.locator("..").boundingBox();
    seen.push({ text: await bar.innerText(), left: box.x, right: box.x + box.width });
  }
  return seen.sort((one, other) => one.left - other.left);
}

function compare(what, seen, expected) {
  if (JSON.stringify(seen) !== JSON.stringify(expected)) {
    throw new Error(`${what}: ${JSON.stringify(seen)} in place of ${JSON.stringify(expected)}`);
  }
}

/** Waits for the bars of a line: one for each attempt but the last one, whose bar is that of the step. */
async function hasBars(label, expected) {
  await main.getByText("attempt 2 Failed").first().waitFor({ state: "attached" });
  const bars = await earlierBars(label);
  compare("bars", bars.map(({ text }) => text), expected);
  if (bars.some(({ right }, at) => at + 1 < bars.length && right > bars[at + 1].left)) {
    throw new Error(`bars lie on each other: ${JSON.stringify(bars)}`);
  }
}

/** Waits for the bar of the first attempt, while the second one has not begun. */
async function hasOneBar(label) {
  await main.getByText("attempt 1 Failed").first().waitFor({ state: "attached" });
  compare("bars", (await earlierBars(label)).map(({ text }) => text), ["attempt 1 Failed"]);
}

/** Waits for the list of attempts, each with these words. */
async function hasAttempts(expected) {
  await attempts().nth(expected.length - 1).waitFor();
  const texts = await attempts().allInnerTexts();
  if (texts.length !== expected.length) {
    throw new Error(`${texts.length} attempts are listed in place of ${expected.length}: ${JSON.stringify(texts)}`);
  }
  for (const [at, parts] of expected.entries()) {
    const missing = parts.filter((part) => !texts[at].includes(part));
    if (missing.length > 0) {
      throw new Error(`attempt ${at + 1} lacks ${JSON.stringify(missing)}: ${texts[at]}`);
    }
  }
  const wrong = texts.filter((text) => text.includes("Succeeded") && text.includes("No luck"));
  if (wrong.length > 0) {
    throw new Error(`the attempt that succeeded has an error: ${wrong[0]}`);
  }
}

const EXPECTED = [
  ["Failed", "attempt 1", "No luck at attempt 1."],
  ["Failed", "attempt 2", "No luck at attempt 2."],
  ["Succeeded", "attempt 3"],
];

const scenarios = {
  async "the timeline has a segment for each attempt at a step"() {
    await page.goto(`${gateway}/runs/${task.flowRun}`);
    await hasBars("flaky", ["attempt 1 Failed", "attempt 2 Failed"]);
    compare("bars of a step without retries", await earlierBars("calm"), []);
    await page.screenshot({ path: join(task.pictures, "timeline.png") });
  },
  async "the panel of the step lists its attempts with their errors"() {
    await main.getByRole("button", { name: "flaky", exact: true }).click();
    await hasAttempts(EXPECTED);
    await page.screenshot({ path: join(task.pictures, "panel.png") });
  },
  async "a step that was tried once lists nothing"() {
    await main.getByRole("button", { name: "calm", exact: true }).click();
    await main.getByRole("region", { name: "calm" }).waitFor();
    compare("attempts of a step without retries", await attempts().count(), 0);
  },
  async "a run without a flow has the segments and the list, too"() {
    await page.goto(`${gateway}/runs/${task.scriptRun}`);
    await hasBars(task.script, ["attempt 1 Failed", "attempt 2 Failed"]);
    await hasAttempts(EXPECTED);
    await page.screenshot({ path: join(task.pictures, "script.png") });
  },
  async "a step that waits for its second attempt shows the first one"() {
    await page.goto(`${gateway}/runs/${task.liveRun}`);
    await hasOneBar("flaky");
    await main.getByRole("button", { name: "flaky", exact: true }).click();
    await hasAttempts(EXPECTED.slice(0, 1));
    await page.screenshot({ path: join(task.pictures, "live.png") });
  },
  async "a run without a flow that waits for its second attempt shows the first one, too"() {
    await page.goto(`${gateway}/runs/${task.liveScriptRun}`);
    await hasOneBar(task.script);
    await hasAttempts(EXPECTED.slice(0, 1));
  },
};

for (const [name, scenario] of Object.entries(scenarios)) {
  try {
    await scenario();
  } catch (error) {
    findings.push(`${name}: ${error.message}`);
    await page.screenshot({ path: join(task.pictures, `${name.replaceAll(/\W+/g, "-")}.png`), fullPage: true });
  }
}
await browser.close();
console.log(JSON.stringify({ findings }));
