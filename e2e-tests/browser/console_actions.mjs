// Does everything that the pages of runs offer, as a person would: with the mouse, in the dialogs of the console. Reads its
// task as JSON from standard input, and prints its findings as JSON.
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const WAIT_MILLIS = 60_000;
const VISIBLE_MILLIS_MAX = 500;

const findings = [];
const seen = {};
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
const page = await context.newPage();
page.setDefaultTimeout(WAIT_MILLIS);
page.on("dialog", (dialog) => {
  findings.push(`code was executed: ${dialog.message()}`);
  void dialog.dismiss();
});
page.on("pageerror", (error) => findings.push(`an exception: ${error.message}`));

const gateway = task.gateway.replace(/\/$/, "");
const api = (task.api ?? gateway).replace(/\/$/, "");

async function call(method, path, body) {
  const response = await fetch(`${api}/api/v1${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${await response.text()}`);
  }
  return response.json();
}

const submit = async (flow, input) => (await call("POST", "/runs", { target: { flow }, input })).id;
const runOf = (id) => call("GET", `/runs/${id}`);
const header = () => page.locator("main");
const hasState = (word) => header().getByText(word, { exact: true }).first().waitFor();

/** Opens a run; with a step, also the panel of the step. */
async function open(id, step) {
  await page.goto(`${gateway}/runs/${id}${step === undefined ? "" : `?step=${encodeURIComponent(step)}`}`);
  await header().getByText(id).first().waitFor();
}

/** Opens the dialog of an action, changes fields by their labels, and confirms. */
async function act(label, fields = {}) {
  await header().getByRole("button", { name: label, exact: true }).first().click();
  const dialog = page.getByRole("dialog");
  for (const [name, value] of Object.entries(fields)) {
    await dialog.getByLabel(name, { exact: false }).first().fill(value);
  }
  await dialog.getByRole("button", { name: label, exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
}

/** The run that the page shows after an action that starts another one. */
async function nextRun(before) {
  await page.waitForURL((url) => url.pathname.includes("/runs/") && !url.pathname.includes(before));
  return new URL(page.url()).pathname.split("/").at(-1);
}

/** A way to the gateway that can break off, as a gateway does that is killed. */
class Line {
  sockets = new Set();
  server = createServer((socket) => {
    const { hostname, port } = new URL(gateway);
    const far = connect(Number(port), hostname);
    for (const end of [socket, far]) {
      this.sockets.add(end);
      end.on("error", () => undefined).on("close", () => {
        this.sockets.delete(end);
        socket.destroy();
        far.destroy();
      });
    }
    socket.pipe(far).pipe(socket);
  });

  /** Listens, on the same port as before. */
  async open() {
    await new Promise((resolve) => this.server.listen(this.port ?? 0, "localhost", resolve));
    this.port = this.server.address().port;
    return `http://localhost:${this.port}`;
  }

  async breakOff() {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) {
      socket.destroy();
    }
    await closed;
  }
}

const scenarios = {
  async "a submitted run appears in the list at once"() {
    const first = await submit(task.flow, { n: 1 });
    await page.goto(`${gateway}/runs`);
    await header().getByText(first).first().waitFor();
    await call("POST", `/runs/${first}:cancel`, {});
    const times = [];
    for (let round = 0; round < 5; round++) {
      const begin = performance.now();
      const id = await submit(task.flow, { n: 1 });
      await page.getByText(id).first().waitFor();
      times.push(performance.now() - begin);
      await call("POST", `/runs/${id}:cancel`, {});
    }
    seen.visibleMillis = times.map(Math.round);
    // The first look may wait for the stream to open.
    if (Math.min(...times) > VISIBLE_MILLIS_MAX) {
      throw new Error(`runs took ${times.map(Math.round)} ms to appear`);
    }
  },
  async "rows keep their places under the cursor"() {
    const row = page.locator("a[data-entry]").first();
    const text = await row.innerText();
    await row.hover();
    const id = await submit(task.flow, { n: 1 });
    await page.getByText(/new run/).waitFor();
    if ((await row.innerText()).split("\n").at(1) !== text.split("\n").at(1)) {
      throw new Error("the first row has moved");
    }
    await page.mouse.move(1, 1);
    await page.getByText(id).first().waitFor();
    await call("POST", `/runs/${id}:cancel`, {});
  },
  async "pause, resume, cancel and retry"() {
    const id = await submit(task.flow, { n: 2 });
    await open(id);
    await act("Pause", {});
    await hasState("Paused");
    await act("Resume", {});
    await header().getByRole("button", { name: "Pause", exact: true }).waitFor();
    await act("Cancel run", { Reason: "tried" });
    await hasState("Canceled");
    await act("Retry", {});
    await header().getByRole("button", { name: "Approve", exact: true }).waitFor();
    await page.goto(`${gateway}/runs/${id}?tab=history`);
    await page.getByText("tried").first().waitFor();
    await call("POST", `/runs/${id}:cancel`, {});
  },
  async "approve"() {
    const id = await submit(task.flow, { n: 3 });
    await open(id);
    await act("Approve", { Comment: "by ada" });
    await act("Send signal", { "Name of the signal": "go", Payload: "[1]" });
    await hasState("Succeeded");
  },
  async "two people answer the same form on the page of the run and among the approvals"() {
    const id = await submit(task.twoPeople, {});
    await open(id);
    await act("Complete", { Note: "looks good", "Your name": "ada" });
    await header().getByText("1 of 2 answers").first().waitFor();
    await page.goto(`${gateway}/approvals`);
    await header().getByText("1 of 2 answers").first().waitFor();
    await header().getByRole("button", { name: "Complete", exact: true }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Note").fill("fine");
    await dialog.getByLabel("Your name").fill("bob");
    await dialog.getByText("--actor bob").waitFor();
    await dialog.getByRole("button", { name: "Complete", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    await open(id);
    await hasState("Succeeded");
  },
  async "deny"() {
    const id = await submit(task.flow, { n: 3 });
    await open(id);
    await act("Deny", { Comment: "too early" });
    await hasState("Failed");
  },
  async "wrong JSON is shown at its field"() {
    const id = await submit(task.flow, { n: 3 });
    await open(id);
    await header().getByRole("button", { name: "Send signal", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name of the signal").fill("go");
    await dialog.getByLabel("Payload", { exact: false }).fill("{nonsense");
    await dialog.getByRole("button", { name: "Send signal", exact: true }).click();
    await dialog.getByText("This is not JSON").waitFor();
    await call("POST", `/runs/${id}:cancel`, {});
  },
  async "skip a step"() {
    const id = await submit(task.flow, { n: 4 });
    await open(id, "ask");
    await act("Skip this step", { Result: "null" });
    await act("Send signal", { "Name of the signal": "go" });
    await hasState("Succeeded");
  },
  async "run again with the same input"() {
    const id = await submit(task.flow, { n: 13 });
    await open(id);
    await hasState("Failed");
    await act("Run again", {});
    const again = await nextRun(id);
    const { input } = await runOf(again);
    if (JSON.stringify(input) !== '{"n":13}') {
      throw new Error(`the input of the new run is ${JSON.stringify(input)}`);
    }
  },
  async "rerun from a step, and compare"() {
    const id = await submit(task.flow, { n: 5 });
    await open(id);
    await act("Approve", {});
    await act("Send signal", { "Name of the signal": "go" });
    await hasState("Succeeded");
    await open(id, "last");
    await header().getByRole("button", { name: "Rerun from this step" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Reused:").waitFor();
    const reused = await dialog.locator("dl > div").first().innerText();
    if (!["first", "side", "ask", "go"].every((key) => reused.includes(key)) || reused.includes("last")) {
      throw new Error(`the dialog says: ${reused}`);
    }
    await page.screenshot({ path: join(task.pictures, "rerun.png") });
    await dialog.getByRole("button", { name: "Rerun from this step" }).click();
    const again = await nextRun(id);
    await hasState("Succeeded");
    const { input } = await runOf(again);
    if (JSON.stringify(input) !== '{"n":5}') {
      throw new Error(`the input of the new run is ${JSON.stringify(input)}`);
    }
    await header().getByRole("link", { name: "Compare" }).click();
    await page.getByText("Steps of both runs").waitFor({ state: "attached" });
    await page.getByRole("rowheader", { name: "last" }).waitFor();
    await page.screenshot({ path: join(task.pictures, "compare.png"), fullPage: true });
    const size = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 800 });
    const outside = await page.getByRole("table").evaluate((table) => table.scrollWidth - table.parentElement.clientWidth);
    await page.setViewportSize(size);
    if (outside > 0) {
      throw new Error(`${outside} pixels of the comparison are outside a narrow view`);
    }
  },
  async "rerun from a step with other inputs"() {
    const id = await submit(task.flow, { n: 13 });
    await open(id);
    await hasState("Failed");
    await open(id, "first");
    await header().getByRole("button", { name: "Rerun from this step" }).click();
    const dialog = page.getByRole("dialog");
    const [ofStep, ofRun] = ["Input of the step first", "Input of the run"].map((name) => dialog.getByRole("group", { name }));
    await ofStep.getByLabel("Input of the step first").fill("{nonsense");
    await dialog.getByRole("button", { name: "Rerun from this step" }).click();
    await ofStep.getByText("This is not JSON").waitFor();
    await ofStep.getByLabel("Input of the step first").fill('{"n": 2}');
    await ofRun.getByLabel(/^n\b/).fill("1.5");
    await dialog.getByRole("button", { name: "Rerun from this step" }).click();
    await ofRun.locator("[aria-invalid=true]").waitFor();
    await ofRun.getByLabel(/^n\b/).fill("12");
    await page.screenshot({ path: join(task.pictures, "rerun-inputs.png") });
    await dialog.getByRole("button", { name: "Rerun from this step" }).click();
    const again = await nextRun(id);
    const { input } = await runOf(again);
    const { items } = await call("GET", `/runs/${again}/steps?step=first&include_payloads=true`);
    if (input.n !== 12 || items[0].input.n !== 2) {
      throw new Error(`the inputs are ${JSON.stringify(input)} and ${JSON.stringify(items[0].input)}`);
    }
    await call("POST", `/runs/${again}:cancel`, {});
  },
  async "an old run shows the version that it executed"() {
    const id = await submit(task.flow, { n: 13 });
    await open(id);
    await hasState("Failed");
    await call("POST", "/flows", task.newVersion);
    await page.goto(`${gateway}/runs/${id}?tab=graph`);
    await page.getByText("side", { exact: true }).first().waitFor();
    if ((await page.getByText("brand_new", { exact: true }).count()) > 0) {
      throw new Error("the graph shows a step of the new version");
    }
    await header().getByRole("link", { name: "Open the flow" }).click();
    await page.getByText("This is not the current version.").waitFor();
    await page.getByRole("link", { name: "Changes since" }).click();
    await page.getByText("brand_new").first().waitFor();
    await page.screenshot({ path: join(task.pictures, "changes.png"), fullPage: true });
  },
  async "cancel all that match"() {
    const ids = [await submit(task.flow, { n: 6 }), await submit(task.flow, { n: 6 })];
    await page.goto(`${gateway}/runs?name=${encodeURIComponent(task.flow)}`);
    await page.getByText(ids[1]).first().waitFor();
    await page.getByLabel("All that match:").selectOption("cancel");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("all runs in progress that match").waitFor();
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByText(/Cancel: \d+ of \d+ done/).waitFor();
    for (const id of ids) {
      await page.locator("li", { hasText: id }).getByText("Canceled").first().waitFor();
    }
    await page.screenshot({ path: join(task.pictures, "bulk.png") });
  },
  async "cancel all that a search by input finds"() {
    const [found, other] = [await submit(task.flow, { n: 77 }), await submit(task.flow, { n: 78 })];
    await page.goto(`${gateway}/runs?input=${encodeURIComponent('["n=77"]')}`);
    await page.getByText(found).first().waitFor();
    await page.getByLabel("All that match:").selectOption("cancel");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("all runs in progress that match").waitFor();
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByText("Cancel: 1 of 1 done").waitFor();
    const states = [(await runOf(found)).state, (await runOf(other)).state];
    await call("POST", `/runs/${other}:cancel`, {});
    if (states[0] !== "canceled" || states[1] === "canceled") {
      throw new Error(`the runs are ${states}`);
    }
  },
  async "only lines of a level and their stack traces"() {
    const { id } = await call("POST", "/runs", { target: { script: task.logger }, input: {} });
    await open(id);
    await hasState("Succeeded");
    await page.goto(`${gateway}/runs/${id}?tab=logs`);
    await page.getByText("WARNING:root:slow").waitFor();
    await page.getByLabel("Least level").selectOption("warning");
    await page.getByText("an ordinary line").waitFor({ state: "detached" });
    for (const kept of ["WARNING:root:slow", "ERROR:root:declined", "ValueError: no money"]) {
      await page.getByText(kept).waitFor();
    }
    await page.screenshot({ path: join(task.pictures, "levels.png") });
  },
  async "rerun all that failed, with another input of a step"() {
    const id = await submit(task.flow, { n: 13 });
    await open(id);
    await hasState("Failed");
    await page.goto(`${gateway}/runs?name=${encodeURIComponent(task.flow)}&state=%5B%22failed%22%5D`);
    await page.getByText(id).first().waitFor();
    await page.getByLabel("All that match:").selectOption("rerun");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Step to begin at").fill("first");
    await dialog.getByLabel("Input of the step").fill('{"n": 1}');
    await dialog.getByRole("button", { name: "Rerun from a step", exact: true }).click();
    await page.getByText(/Rerun from a step: (\d+) of \1 done/).waitFor();
    // Whoever comes back still sees what happened.
    await page.reload();
    await page.getByRole("button", { name: "What it did" }).click();
    await dialog.locator("li", { hasText: id }).getByText("New run:").waitFor();
    await page.screenshot({ path: join(task.pictures, "bulk-rerun.png") });
    await page.keyboard.press("Escape");
    const { items } = await call("GET", "/bulk-operations?page_size=1");
    const runs = (await call("GET", `/bulk-operations/${items[0].id}/runs`)).items;
    const { new_run_id: again } = runs.find(({ run_id: old }) => old === id);
    await open(again);
    await act("Approve", {});
    await act("Send signal", { "Name of the signal": "go", Payload: "[1]" });
    await hasState("Succeeded");
    for (const { new_run_id: other } of runs.filter(({ new_run_id: other }) => other !== again)) {
      await call("POST", `/runs/${other}:cancel`, {});
    }
  },
  async "pages go on after the gateway was away"() {
    const line = new Line();
    const through = await line.open();
    const id = await submit(task.flow, { n: 7 });
    await page.goto(`${through}/runs/${id}`);
    await header().getByRole("button", { name: "Approve", exact: true }).waitFor();
    const list = await context.newPage();
    await list.goto(`${through}/runs`);
    await list.getByText(id).first().waitFor();
    await line.breakOff();
    await header().getByRole("status").filter({ hasText: "onnection" }).waitFor();
    await call("POST", `/runs/${id}:cancel`, {});
    const other = await submit(task.flow, { n: 8 });
    await line.open();
    await list.getByText(other).first().waitFor({ timeout: WAIT_MILLIS });
    await page.bringToFront();
    await hasState("Canceled");
    await call("POST", `/runs/${other}:cancel`, {});
    await list.close();
    await page.goto("about:blank");
    await line.breakOff();
  },
  async "runs are found by the tag of a step"() {
    const id = await submit(task.flow, { n: 13 });
    await open(id);
    await hasState("Failed");
    await page.goto(`${gateway}/runs`);
    await page.getByLabel("Tag", { exact: true }).fill("python");
    await page.keyboard.press("Enter");
    await page.waitForURL(/[?&]tag=python/);
    await page.getByText("Searched back to").or(page.getByText(/^\d+ runs?$/)).first().waitFor();
    await page.getByText(id).first().waitFor();
    await page.goto(`${gateway}/runs?tag=nobody`);
    await page.getByText("No run fits the filters").waitFor();
  },
  async "logs show colors, and no code"() {
    const id = await submit(task.flow, { n: 13 });
    await page.goto(`${gateway}/runs/${id}?tab=logs`);
    await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
  },
};

for (const [name, scenario] of Object.entries(scenarios)) {
  try {
    await scenario();
  } catch (error) {
    findings.push(`${name}: ${error.message}`);
    await page.screenshot({ path: join(task.pictures, `${name.replaceAll(/\W+/g, "-")}.png`), fullPage: true });
    await page.goto("about:blank");
  }
}
await browser.close();
console.log(JSON.stringify({ findings, seen }));
