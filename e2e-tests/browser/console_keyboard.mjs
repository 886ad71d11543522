// Starts a run, reruns it from a step and approves it with the keyboard alone: no mouse, no script that clicks. Whatever has
// the focus must show it. Reads its task as JSON from standard input, and prints its findings as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const gateway = task.gateway.replace(/\/$/, "");
const TABS_MAX = 80;
const findings = [];
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, locale: "en-US" });
page.setDefaultTimeout(15_000);
page.on("pageerror", (error) => findings.push(`an exception: ${error.message}`));

const see = (text) => page.locator("main").getByText(text, { exact: false }).first().waitFor();
const dialog = page.getByRole("dialog");

/** What has the focus: its text or label, and whether one can see that. */
function focused() {
  return page.evaluate(() => {
    const element = document.activeElement;
    const style = element === null ? undefined : getComputedStyle(element);
    return {
      name: (element?.getAttribute("aria-label") ?? element?.textContent ?? "").trim(),
      isSeen: style !== undefined && (style.outlineStyle !== "none" || style.boxShadow !== "none"),
    };
  });
}

/** Presses Tab until something with this name has the focus. */
async function tabTo(name, backwards = false) {
  const passed = [];
  for (let count = 0; count < TABS_MAX; count++) {
    await page.keyboard.press(backwards ? "Shift+Tab" : "Tab");
    const { name: found, isSeen } = await focused();
    if (found === name) {
      if (!isSeen) {
        findings.push(`nobody sees that ${name} has the focus`);
      }
      return;
    }
    passed.push(found.slice(0, 30));
  }
  throw new Error(`Tab does not lead to ${name}, but to ${passed.join(", ")}`);
}

async function press(...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
  }
}

/** Goes down the list of the page to an entry. */
async function moveTo(name) {
  for (let count = 0; count < TABS_MAX; count++) {
    await press("j");
    if ((await focused()).name.includes(name)) {
      return;
    }
  }
  throw new Error(`j does not lead to ${name}`);
}

try {
  await page.goto(gateway);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await press("?");
  await dialog.getByText("Keyboard shortcuts").first().waitFor();
  await press("Escape");
  await dialog.waitFor({ state: "hidden" });

  await press("g", "f");
  await see(task.flow);
  await moveTo(task.flow);
  await press("Enter");
  await see("Start a run");
  await page.waitForLoadState("networkidle");
  await tabTo("Start");
  // There is also a tab of this name, a link, and the browser decides which of them comes first after a change of the page.
  if ((await page.evaluate(() => document.activeElement?.tagName)) !== "BUTTON") {
    await tabTo("Start");
  }
  await press("Enter");
  await page.waitForURL(/\/runs\//);
  await see("Release by keyboard?");

  await tabTo("Approve");
  await press("Enter");
  await dialog.waitFor();
  await tabTo("Approve");
  await press("Enter");
  await see("Succeeded");
  await page.screenshot({ path: join(task.pictures, "approved.png"), caret: "initial" });

  const first = new URL(page.url()).pathname;
  await moveTo("ask");
  await press("Enter");
  await tabTo("Rerun from this step");
  await press("Enter");
  await dialog.getByText("Run again:").waitFor();
  // Whoever writes in a field confirms with Ctrl and Enter.
  await press("Control+Enter");
  await page.waitForURL((url) => url.pathname.includes("/runs/") && url.pathname !== first);
  await see("Release by keyboard?");
  await tabTo("Deny");
  await press("Enter");
  await dialog.waitFor();
  await press("Escape");
  await dialog.waitFor({ state: "hidden" });
  const { name } = await focused();
  if (name !== "Deny") {
    findings.push(`after a dialog, the focus is at ${name} (expected: at the button that opened it)`);
  }
  await press("g", "p");
  await see("Release by keyboard?");
  await tabTo("Approve");
  await press("Enter");
  await dialog.waitFor();
  await tabTo("Approve");
  await press("Enter");
  await dialog.waitFor({ state: "hidden" });

  await press("Control+k");
  await dialog.waitFor();
  await page.keyboard.type(task.flow);
  await dialog.getByText(task.flow).first().waitFor();
  await press("Escape");
  await dialog.waitFor({ state: "hidden" });

  /** Does the first of what the palette finds for a text. */
  const command = async (text, name) => {
    await press("Control+k");
    await dialog.waitFor();
    await page.keyboard.type(text);
    await page.getByRole("option", { selected: true }).getByText(name).waitFor();
    await press("Enter");
  };
  await command("theme dark", "Theme: Dark");
  await page.locator("html[data-theme=dark]").waitFor();
  await command("new sched", "New schedule");
  await page.waitForURL(/\/schedules/);
  await dialog.getByLabel("Cron").first().waitFor();
  await press("Escape");
  await dialog.waitFor({ state: "hidden" });
  const id = first.split("/").pop();
  await command(id.slice(0, 14), id);
  await page.waitForURL((url) => url.pathname === first);
  await see("Succeeded");
  await command("run again", "Run again");
  await dialog.getByText("Starts a new run of the same version.").waitFor();
  await press("Escape");
  await dialog.waitFor({ state: "hidden" });
  const post = (path, body) =>
    page.evaluate(
      async ([to, sent]) => {
        const headers = { "content-type": "application/json" };
        return (await fetch(`/api/v1/runs${to}`, { method: "POST", headers, body: JSON.stringify(sent) })).json();
      },
      [path, body],
    );
  // What asks for people appears at once, not when the list is read again after a while.
  await press("g", "p");
  await page.getByRole("heading", { level: 1, name: "Approvals" }).waitFor();
  const started = await post("", { target: { flow: task.flow } });
  await page.locator(`main a[href*="${started.id}"]`).first().waitFor({ timeout: 3_000 });
  // A long queue does not push out what runs.
  const queued = [];
  for (let count = 0; count < 9; count += 1) {
    queued.push(await post("", { target: { handler: "nobody" } }));
  }
  await page.goto(gateway);
  await page.locator("section", { hasText: "Running now" }).locator(`a[href*="${started.id}"]`).waitFor();
  for (const { id } of queued) {
    await post(`/${id}:cancel`, {});
  }
  await command(`start ${task.flow}`, `Start ${task.flow}`);
  await page.waitForURL(/\/flows\//);
  await see("Start a run");
} catch (error) {
  findings.push(error.message);
  await page.screenshot({ path: join(task.pictures, "keyboard-failed.png"), fullPage: true, caret: "initial" });
}
await browser.close();
console.log(JSON.stringify({ findings }));
