// Uses the reference of the REST API as a newcomer does: opens it, searches, and clicks an operation. Each must be done within
// the time that the task names, because a page that takes longer seems to hang. Reads its task as JSON from standard input, and
// prints its findings and the times in milliseconds as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const gateway = task.gateway.replace(/\/$/, "");
const findings = [];
const times = {};
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});

/** Does something, and finds fault if it takes too long. A limit for each wait would let one that hangs end the test. */
async function within(name, does) {
  const begin = Date.now();
  await does();
  times[name] = Date.now() - begin;
  if (times[name] > task.limit_millis) {
    findings.push(`${name} took ${times[name]} ms (expected: at most ${task.limit_millis} ms)`);
  }
}

const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
page.setDefaultTimeout(30_000);
page.on("pageerror", (error) => findings.push(`an exception: ${error.message}`));
page.on("console", (message) => message.type() === "error" && findings.push(`the browser says: ${message.text()}`));
try {
  const operations = page.getByRole("navigation", { name: "Operations" }).getByRole("link");
  await within("open", async () => {
    await page.goto(`${gateway}/api/v1/docs/`);
    await operations.filter({ hasText: "Start a run." }).waitFor();
  });
  const all = await operations.count();
  await within("search", async () => {
    await page.getByLabel("Search operations, addresses and fields").fill("cancel run");
    await operations.filter({ hasText: "Start a run." }).waitFor({ state: "detached" });
    await operations.filter({ hasText: "/api/v1/runs/{id}:cancel" }).waitFor();
  });
  if ((await operations.count()) >= all) {
    findings.push(`the search leaves all ${all} operations`);
  }
  await within("click", async () => {
    await operations.filter({ hasText: "/api/v1/runs/{id}:cancel" }).click();
    await page.getByRole("article").getByText("curl -X POST").waitFor();
  });
  await within("open a field", async () => {
    await page.goto(`${gateway}/docs/submitRun`);
    await page.getByText("Fields of Target").first().click();
    await page.getByRole("article").getByText("script_hash").first().waitFor();
  });
} catch (error) {
  findings.push(error.message);
  await page.screenshot({ path: join(task.pictures, "docs-failed.png") });
} finally {
  await browser.close();
}
console.log(JSON.stringify({ findings, times }));
