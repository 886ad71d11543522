// Logs in to the console with tokens, looks at what it offers to an owner and to somebody who may only look, and logs out.
// Reads its task as JSON from standard input, and prints its findings as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const findings = [];
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const gateway = task.gateway.replace(/\/$/, "");

/** Opens a page without a session, follows the way to the login, and comes back to the page. */
async function logIn(page, path, token) {
  await page.goto(gateway + path);
  await page.getByRole("link", { name: "Log in" }).click();
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button").first().click();
  await page.waitForURL((url) => url.pathname + url.search === path);
}

async function attempt(name, act) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(12_000);
  try {
    await act(page, context);
  } catch (error) {
    findings.push(`${name}: ${error.message}`);
    await page.screenshot({ path: join(task.pictures, `${name.replaceAll(/\W+/g, "-")}.png`), fullPage: true });
  }
  await context.close();
}

await attempt("a wrong token is refused in words", async (page) => {
  await page.goto(`${gateway}/login?return_to=/runs`);
  await page.getByLabel("Token").fill("mrt_nobody_has_this_token");
  await page.getByRole("button").first().click();
  await page.getByText(/token/i).first().waitFor();
  if (new URL(page.url()).pathname === "/runs") {
    throw new Error("the page lets strangers in");
  }
});

await attempt("an owner operates runs, live, and logs out", async (page, context) => {
  const path = `/runs/${task.run}`;
  await logIn(page, path, task.owner);
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  const list = await context.newPage();
  await list.goto(`${gateway}/runs`);
  await list.getByText(task.run).first().waitFor();
  await page.getByRole("button", { name: "Cancel run", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run", exact: true }).click();
  await list.locator("li", { hasText: task.run }).getByText("Canceled").first().waitFor();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByRole("link", { name: "Log in" }).waitFor();
  await list.reload();
  await list.getByRole("link", { name: "Log in" }).waitFor();
});

await attempt("nothing is offered to somebody who may only look", async (page) => {
  await logIn(page, `/runs/${task.other}`, task.viewer);
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  for (const name of ["Approve", "Deny", "Cancel run", "Pause", "Send signal", "Run again"]) {
    if ((await page.getByRole("button", { name, exact: true }).count()) > 0) {
      throw new Error(`the page offers ${name}`);
    }
  }
  await page.goto(`${gateway}/runs`);
  await page.getByText(task.other).first().waitFor();
  if ((await page.getByLabel("All that match:").count()) > 0) {
    throw new Error("the list offers to operate on many runs");
  }
  await page.screenshot({ path: join(task.pictures, "viewer.png") });
});

await browser.close();
console.log(JSON.stringify({ findings }));
