// Kills the worker of `millrace dev` on the page of workers, and looks whether that shows it as gone beside the one that takes
// its name. Reads its task as JSON from standard input, and prints its findings as JSON.
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
const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, locale: "en-US" });
page.setDefaultTimeout(WAIT_MILLIS);
page.on("pageerror", (error) => findings.push(`an exception: ${error.message}`));

try {
  await page.goto(`${gateway}/workers`);
  const cards = page.getByRole("article");
  await page.getByRole("button", { name: "Kill worker" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Kill worker" }).click();
  const gone = cards.filter({ hasText: "Its jobs have gone back to the queue." });
  await gone.waitFor();
  await cards.filter({ has: page.getByRole("button", { name: "Kill worker" }) }).waitFor();
  const names = await cards.getByRole("heading").allInnerTexts();
  if (names.length !== 2 || names[0] !== names[1]) {
    findings.push(`the workers are ${names} (expected: one that is gone, and another one with its name)`);
  }
  await page.screenshot({ path: join(task.pictures, "gone.png"), caret: "initial" });
} catch (error) {
  findings.push(error.message);
  await page.screenshot({ path: join(task.pictures, "gone-failed.png"), fullPage: true, caret: "initial" });
}
await browser.close();
console.log(JSON.stringify({ findings }));
