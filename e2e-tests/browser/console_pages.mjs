// Does in the console what people do there, against a real server, by labels and roles as a person finds them. Reads its
// task as JSON from standard input, and prints what has failed as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const WAIT_MILLIS = 60_000;
const gateway = task.gateway.replace(/\/$/, "");
const findings = [];
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});

const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
page.setDefaultTimeout(WAIT_MILLIS);
page.on("pageerror", (error) => findings.push(`an exception: ${error.message}`));

const open = (path) => page.goto(gateway + path);
const dialog = () => page.getByRole("dialog");
const button = (name, within = page) => within.getByRole("button", { name, exact: true });
const see = (text) => page.getByText(text, { exact: false }).first().waitFor();

/** Opens the dialog of an action, fills its fields by their labels, and submits it. */
async function act(name, fields = {}) {
  await button(name).first().click();
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog().getByLabel(label, { exact: true });
    await ((await field.evaluate((element) => element.tagName)) === "SELECT"
      ? field.selectOption(value)
      : field.fill(value));
  }
  await button(name, dialog()).click();
  await dialog().waitFor({ state: "detached" });
}

async function attempt(name, does) {
  try {
    await does();
  } catch (error) {
    findings.push(`${name}: ${error.message}`);
    await page.screenshot({ path: join(task.pictures, `${name}-failed.png`), fullPage: true });
  }
}

/** Writes in the editor in place of its text. */
async function write(text) {
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

await attempt("schedules", async () => {
  await open("/schedules");
  await act("New schedule", {
    Path: "console/hourly",
    "Starts a": "script",
    "Its path or name": task.script,
    "Cron expressions, one a line": "0 * * * *",
    "Time zone": "Europe/Berlin",
  });
  await page.getByText("console/hourly").click();
  await see("Next times");
  await act("Pause");
  await see("Paused since");
  await act("Resume");
  await act("Edit", { Description: "On the hour" });
  await see("On the hour");
  await act("Backfill", { From: "2026-01-01T00:00", To: "2026-01-01T03:00" });
  await see("started");
  await act("Start now");
  await page.waitForURL(/\/runs\//);
  await page.goBack();
  await act("Delete");
  await page.waitForURL(/\/schedules$/);
});

await attempt("rejection", async () => {
  await open("/schedules");
  await button("New schedule").click();
  await dialog().getByLabel("Path", { exact: true }).fill("console/wrong");
  await dialog().getByLabel("Its path or name", { exact: true }).fill(task.script);
  await dialog().getByLabel("Starts a", { exact: true }).selectOption("script");
  await dialog().getByLabel("Cron expressions, one a line", { exact: true }).fill("99 * * * *");
  await button("New schedule", dialog()).click();
  await dialog().getByRole("alert").waitFor();
  await page.keyboard.press("Escape");
});

await attempt("secrets", async () => {
  await open("/settings");
  await act("New secret", { Path: "console/hook", Value: "a-secret-of-the-browser" });
  await see("console/hook");
  await open("/settings/resources");
  await act("New resource", { Path: "console/db", Value: '{"host": "db"}' });
  await see("console/db");
});

await attempt("webhooks", async () => {
  await open("/triggers");
  await act("New webhook", {
    Path: "console/hook",
    "Starts a": "script",
    "Its path or name": task.script,
    "How callers prove who they are": "token",
    "Paths of secrets, one a line": "console/hook",
  });
  await page.getByText("console/hook").click();
  await button("Try a call").click();
  await button("Try a call", dialog()).click();
  await dialog().getByText('"order": 7').waitFor();
  await dialog().getByRole("button", { name: "Close" }).last().click();
  // A refused call is not kept, so the page says what can be done, and starts a run from its body.
  const hook = page.url();
  await page.request.post(`${gateway}/hooks/default/console/hook`, { data: { order: 7 } });
  await page.reload();
  await see("The bodies of refused calls are not kept");
  await button("Start from a call").click();
  await dialog().getByLabel("Body of the call (JSON)").fill('{"order": 7}');
  await button("Start from a call", dialog()).click();
  await page.waitForURL(/\/runs\//);
  await page.goto(hook);
  await act("Pause");
  await see("Paused since");
  await act("Resume");
  await act("Delete");
  await page.waitForURL(/\/triggers\/webhook$/);
});

await attempt("handlers", async () => {
  await open("/triggers/handlers");
  await act("New event handler", {
    Path: "console/ship",
    Event: "conductor:order:paid",
    Condition: "$.amount > 0",
    "Actions (JSON)": JSON.stringify([{ action: "start_workflow", start_workflow: { name: task.started } }]),
  });
  await page.getByText("console/ship").click();
  await see("It has got no message yet.");
  await act("Deactivate");
  await see("It is inactive");
  await act("Edit", { Condition: "$.amount > 1" });
  await see("$.amount > 1");
  await see("It is inactive");
  await act("Activate");
  await fetch(`${gateway}/api/v1/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ target: { flow: task.publisher } }),
  });
  await see("Completed");
  await page.getByRole("main").getByRole("link").last().click();
  await page.waitForURL(/\/runs\//);
  await page.goBack();
  await act("Delete");
  await page.waitForURL(/\/triggers\/handlers$/);
});

await attempt("alerts", async () => {
  await open("/alerts");
  await act("New alert", { Name: "browser", To: "https://example.com/hook" });
  await page.getByText("browser").first().click();
  await see("No message.");
  await act("Pause");
  await see("Paused: its events");
  await act("Resume");
  await act("Delete");
  await page.waitForURL(/\/alerts$/);
});

await attempt("accounts", async () => {
  await open("/settings/accounts");
  await act("New service account", { Name: "browser" });
  await button("New token").first().click();
  await dialog().getByLabel("Name of the token").fill("once");
  await button("New token", dialog()).click();
  await dialog().getByText("It is not shown again").waitFor();
  await dialog().getByRole("button", { name: "Close" }).last().click();
  await open("/settings/roles");
  await act("Give a role", { Who: "service-account:browser", Role: "runner" });
  await see("service-account:browser");
});

await attempt("editor", async () => {
  await open("/editor/flow");
  await write("millrace: v1\nname: console/draft\nsteps:\n  - {id: a, vlue: 1}\n");
  await page.getByRole("listitem").filter({ hasText: "vlue" }).waitFor();
  await write("millrace: v1\nname: console/draft\nsteps:\n  - {id: a, value: 1}\n");
  await see("The server finds nothing wrong.");
  await button("Run the draft").click();
  await button("Run the draft", dialog()).click();
  await page.waitForURL(/\/runs\//);
  await see("Succeeded");
  await open("/editor/flow");
  await see("kept in your browser");
  await act("Deploy");
  await page.waitForURL(/\/flows\/console\/draft$/);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await see("The server finds nothing wrong.");
});

await attempt("workers", async () => {
  await open("/workers");
  await see("15 s");
  await act("Drain", { Reason: "new disk" });
  await see("Nothing is lost by stopping it.");
  await see("new disk");
  await page.screenshot({ path: join(task.pictures, "drained.png"), fullPage: true });
  await open("/");
  await see("0 of 0 slots");
  await open("/workers");
  await act("Resume");
  await button("Drain").first().waitFor();
});

await attempt("streams", async () => {
  // Browsers have six connections to a server over HTTP/1.1, so a page holds one stream, whatever it shows.
  for (const path of ["/", "/runs", "/workers", "/queues", "/approvals"]) {
    const streams = [];
    const note = (request) => {
      if (request.headers().accept === "text/event-stream") {
        streams.push(request.url());
      }
    };
    page.on("request", note);
    const answered = page.waitForResponse((response) => response.url().includes("/runs/events"));
    await open(path);
    await answered;
    await page.getByRole("main").getByRole("heading").first().waitFor();
    page.off("request", note);
    if (streams.length !== 1) {
      findings.push(`streams: ${path} follows ${streams.join(" and ")} (expected: one stream)`);
    }
  }
});

await attempt("approvals", async () => {
  await open("/approvals");
  await page.getByText(task.question).first().waitFor();
  await button("Approve").first().click();
  await dialog().getByLabel("why").fill("it is good");
  await button("Approve", dialog()).click();
  await dialog().waitFor({ state: "detached" });
});

await attempt("link", async () => {
  await open(task.link);
  await see(task.question);
  await page.getByLabel("why").fill("by a link");
  await button("Approve").click();
  await see("Thank you");
});

await attempt("example", async () => {
  if (task.isEmpty) {
    await open("/");
    await button("Run an example").click();
    await page.waitForURL(/\/runs\//);
  }
});

await attempt("language", async () => {
  await open("/schedules");
  await page.getByLabel("Language").selectOption("zh");
  await page.getByRole("heading", { name: "定时", exact: true }).waitFor();
});

await browser.close();
console.log(JSON.stringify({ findings }));
