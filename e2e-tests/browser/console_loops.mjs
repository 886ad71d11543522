// Looks for iterations of a large loop, as a person would: counts, those that failed, one by its number, the next one that
// failed, and the steps inside; and counts what the page loads for that. Reads its task as JSON from standard input, and
// prints its findings as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const gateway = task.gateway.replace(/\/$/, "");
const { run, iterations, failed } = task;
const WAIT_MILLIS = 60_000;
/** Size of a page of iterations; what is on the screen lies on one or two of them. */
const PAGE = 100;

const findings = [];
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
page.setDefaultTimeout(WAIT_MILLIS);
page.on("pageerror", (error) => findings.push(`an exception: ${error.message}`));
page.on("console", (message) => message.type() === "error" && findings.push(`the browser says: ${message.text()}`));
const loaded = [];
page.on("response", async (response) => {
  if (/\/iterations\?|\/steps\?/.test(response.url())) {
    const body = await response.json().catch(() => ({}));
    loaded.push({ url: response.url(), items: body.items?.length ?? 0 });
  }
});

const main = page.locator("main");
const line = (number) => main.getByRole("button", { name: `[${number}]`, exact: true });
const panel = (key) => main.getByRole("region", { name: key });

const scenarios = {
  async "the loop is one line with its numbers"() {
    await page.goto(`${gateway}/runs/${run}`);
    await main.getByText(`${iterations}/${iterations}`).first().waitFor();
    await main.getByText(`${failed.length} iterations of each failed`).waitFor();
    await main.getByRole("button", { name: `each[${failed[0]}]`, exact: true }).waitFor();
    if ((await line(0).count()) > 0) {
      throw new Error("iterations are listed before anybody has asked");
    }
  },
  async "the failed iterations come first"() {
    await main.getByRole("button", { name: "Show the iterations of each", exact: true }).click();
    for (const number of failed) {
      await line(number).waitFor();
    }
    if ((await line(0).count()) > 0) {
      throw new Error("an iteration that succeeded is among those that failed");
    }
    await page.screenshot({ path: join(task.pictures, "failed.png") });
  },
  async "all iterations are paged as they are looked at"() {
    await main.getByLabel("Iterations of each to show").selectOption("all");
    await line(0).waitFor();
    const lines = await main.getByRole("button", { name: /^\[\d+\]$/ }).count();
    if (lines > PAGE) {
      throw new Error(`${lines} lines are drawn at a time`);
    }
  },
  async "an iteration is found by its number"() {
    await main.getByLabel("Number of an iteration of each").fill("1500");
    await main.getByRole("button", { name: "Go", exact: true }).click();
    await line(1500).waitFor();
    await panel("each[1500]").waitFor();
    await panel("each[1500]").getByRole("button", { name: "keep" }).click();
    await panel("each[1500].keep").getByText("1500", { exact: true }).first().waitFor();
    await page.screenshot({ path: join(task.pictures, "by-number.png") });
  },
  async "the next one that failed is found from there"() {
    // The line with the buttons stays in sight, however far the iteration is from it.
    for (const number of [failed[2], failed[0], failed[1]]) {
      await main.getByRole("button", { name: "Next failed", exact: true }).click();
      await panel(`each[${number}]`).waitFor();
      await line(number).waitFor();
    }
    await panel(`each[${failed[1]}]`).getByRole("button", { name: "check" }).click();
    await main.getByText(`Item ${failed[1]} is broken.`).first().waitFor();
  },
  async "the graph has one node, and goes to the iterations, too"() {
    await page.goto(`${gateway}/runs/${run}?tab=graph`);
    await main.getByText(`${iterations}/${iterations}`).first().waitFor();
    await main.getByRole("button", { name: "Next failed", exact: true }).first().click();
    // It shows the first one that failed from the beginning.
    await main.getByText(`each[${failed[1]}]`).first().waitFor();
    await page.screenshot({ path: join(task.pictures, "graph.png") });
  },
  async "a link to a step inside opens it"() {
    await page.goto(`${gateway}/runs/${run}?step=${encodeURIComponent(`each[${failed[2]}].check`)}`);
    await main.getByText(`Item ${failed[2]} is broken.`).first().waitFor();
  },
  async "no answer had more than a few pages of iterations"() {
    const items = loaded.reduce((sum, { items: count }) => sum + count, 0);
    if (loaded.some(({ items: count }) => count > PAGE) || items > iterations / 2) {
      throw new Error(`the page loaded ${items} entries: ${JSON.stringify(loaded)}`);
    }
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
console.log(JSON.stringify({ findings, answers: loaded.length }));
