// Fills in the form of a script whose input has every construct that types become, sends it with wrong values, reads the
// server's words at their fields, corrects them, and compares the input of the run with what it wrote. Then it opens a link to
// the filled form. Reads its task as JSON from standard input, and prints its findings as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const gateway = task.gateway.replace(/\/$/, "");
const findings = [];
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
page.setDefaultTimeout(12_000);
page.on("pageerror", (error) => findings.push(`an exception: ${error.message}`));
const main = page.locator("main");
const field = (name, within = main) => within.getByLabel(name, { exact: false }).first();
const group = (name) => main.locator("fieldset").filter({ has: page.locator(`legend:has-text("${name}")`) }).first();
const button = (name, within = main) => within.getByRole("button", { name, exact: true });

/** A JSON text in which the order of members does not matter. */
function sorted(value) {
  const keys = new Set();
  JSON.stringify(value, (key, inner) => keys.add(key) && inner);
  return JSON.stringify(value, [...keys].sort());
}

async function inputOfRun() {
  await page.waitForURL(/\/runs\//);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  return (await fetch(`${gateway}/api/v1/runs/${id}`).then((answer) => answer.json())).input;
}

try {
  await page.goto(`${gateway}/scripts/${task.script}`);
  await field("speed").waitFor();
  if ((await field("speed").inputValue()) === "-1") {
    findings.push("the default of a choice is not filled in");
  }
  await field("name").fill("Ada");
  await button("Add", group("items")).click();
  await field("name", group("items")).fill("apple");
  await field("due").fill("2026-01-31");
  await field("maybe").fill("7");
  await field("Name", group("labels")).fill("color");
  await button("Add", group("labels")).click();
  await field("color", group("labels")).fill("red");
  await group("pair").locator("input").first().fill("3");
  await group("pair").locator("input").nth(1).fill("three");
  await group("shape").getByLabel("Kind").first().selectOption({ label: "Square" });
  await field("side", group("shape")).fill("4");
  await field("data").setInputFiles({ name: "data.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 255]) });
  await field("count", group("items")).fill("1.5");
  await button("Start").click();
  const wrong = main.locator('[aria-invalid="true"]').first();
  await wrong.waitFor();
  const described = await wrong.getAttribute("aria-describedby");
  const words = await page.locator(`[id="${described}"]`).innerText();
  if (!/expected/.test(words)) {
    findings.push(`the words at the field are: ${words}`);
  }
  await page.screenshot({ path: join(task.pictures, "form-wrong.png"), fullPage: true, caret: "initial" });
  await field("count", group("items")).fill("2");
  const link = await page.evaluate(() => document.location.href);
  await button("Start").click();
  const input = await inputOfRun();
  if (sorted(input) !== sorted(task.expected)) {
    findings.push(`the run has the input ${JSON.stringify(input)}`);
  }
  await page.goto(`${link.split("?")[0]}?input=${encodeURIComponent(JSON.stringify(task.expected))}`);
  await field("side", group("shape")).waitFor();
  if ((await field("side", group("shape")).inputValue()) !== "4" || (await field("name").inputValue()) !== "Ada") {
    findings.push("the link does not fill the form in");
  }
  await page.goto(link.split("?")[0]);
  await button("Fill in the input of the last run").click();
  await button("Start").click();
  const again = await inputOfRun();
  if (sorted(again) !== sorted(input)) {
    findings.push(`the form makes of the last input ${JSON.stringify(again)}`);
  }
} catch (error) {
  findings.push(error.message);
  await page.screenshot({ path: join(task.pictures, "form-failed.png"), fullPage: true, caret: "initial" });
}
await browser.close();
console.log(JSON.stringify({ findings }));
