// Watches a run in the console while the gateway is killed and comes back: what the page says meanwhile, and whether it
// shows all that went on. The gateway is killed and started by a server of the test. Reads its task as JSON from standard
// input, and prints its findings as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const gateway = task.gateway.replace(/\/$/, "");
const WAIT_MILLIS = 60_000;
const findings = [];
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});

/** Asks the test to do something, and waits until that is done. */
async function ask(what) {
  const response = await fetch(task.control + what);
  if (!response.ok) {
    throw new Error(`${what} is answered with ${response.status}.`);
  }
}

async function open(path) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" })).newPage();
  page.setDefaultTimeout(WAIT_MILLIS);
  page.on("pageerror", (error) => findings.push(`${path}: an exception: ${error.message}`));
  await page.goto(gateway + path);
  return page;
}

async function attempt(name, page, does) {
  try {
    await does();
  } catch (error) {
    findings.push(`${name}: ${error.message.split("\n")[0]}`);
    await page.screenshot({ path: join(task.pictures, `${name}-failed.png`), fullPage: true });
  }
}

const run = `/runs/${task.run}`;
const timeline = await open(run);
const logs = await open(`${run}?tab=logs`);
const list = await open("/runs");
const home = await open("/");
const workers = await open("/workers");
const flow = await open(`/flows/${task.flow}`);
const row = (page) => page.locator(`a[href*="${task.run}"]`).first();
const seen = (page, text) => page.getByText(text, { exact: false }).first().waitFor();

await attempt("before", timeline, async () => {
  await seen(timeline, "Live");
  await seen(logs, "line 1 of");
  await row(list).getByText("Running").waitFor();
  await row(home).getByText("Running").waitFor();
  await seen(workers, "in use");
  await seen(flow, "Start a run");
});

await ask("/kill");
await attempt("meanwhile", timeline, async () => {
  await seen(timeline, "Connection lost. Trying again");
  await timeline.screenshot({ path: join(task.pictures, "meanwhile-run.png") });
  // What somebody does now fails in words, and works later with the same dialog.
  await flow.getByRole("button", { name: "Start", exact: true }).click();
  await flow.getByRole("alert").filter({ hasText: "The server cannot be reached." }).waitFor();
  await flow.screenshot({ path: join(task.pictures, "meanwhile-flow.png") });
  await workers.getByRole("alert").filter({ hasText: "The server cannot be reached." }).waitFor();
  await seen(workers, "in use");
  await workers.screenshot({ path: join(task.pictures, "meanwhile-workers.png") });
  // The code of a page that nobody has opened yet cannot come: the console stays, and says so.
  await home.getByRole("link", { name: "Queues" }).click();
  await home.getByRole("main").getByRole("alert").filter({ hasText: "The server cannot be reached." }).waitFor();
  await home.getByRole("button", { name: "Try again" }).waitFor();
  await home.screenshot({ path: join(task.pictures, "meanwhile-code.png") });
});
// The run goes on, and ends, while nobody can see it.
await ask("/go-on");
await ask("/start");

await attempt("after", timeline, async () => {
  await timeline.getByRole("main").getByText("Succeeded").first().waitFor();
  for (const step of task.steps) {
    await timeline.getByRole("region", { name: "Timeline" }).getByText(step, { exact: true }).waitFor();
  }
  await timeline.screenshot({ path: join(task.pictures, "after-run.png") });
});
await attempt("after-logs", logs, async () => {
  await seen(logs, `line ${task.lines} of`);
  // Each line is there once, however often the connection broke.
  for (let line = 1; line <= task.lines; line += 1) {
    const count = await logs.getByText(`line ${line} of`, { exact: false }).count();
    if (count !== 1) {
      findings.push(`after-logs: line ${line} is there ${count} times`);
    }
  }
});
await attempt("after-list", list, () => row(list).getByText("Succeeded").waitFor());
await attempt("after-home", home, async () => {
  await home.getByRole("heading", { name: "Queues" }).waitFor();
  await home.getByRole("link", { name: "Home" }).click();
  await row(home).waitFor({ state: "detached" });
});
await attempt("after-workers", workers, () => workers.getByRole("alert").waitFor({ state: "detached" }));
await attempt("after-flow", flow, async () => {
  await flow.getByRole("button", { name: "Start", exact: true }).click();
  await flow.waitForURL(/\/runs\//);
});
await browser.close();
console.log(JSON.stringify({ findings }));
