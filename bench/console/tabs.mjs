// Opens pages of the console in tabs of a headless Chromium, as people leave them. Reads its task as JSON from standard input,
// prints a line once all are open, and closes them when it is ended.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { openPage } from "./pages.mjs";

const task = JSON.parse(readFileSync(0, "utf8"));
const gateway = task.gateway.replace(/\/$/, "");
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
});
for (const path of task.paths) {
  const page = await openPage(browser, gateway + path);
  await page.locator("main").first().waitFor();
}
console.log("open");
