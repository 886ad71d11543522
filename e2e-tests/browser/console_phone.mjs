// Answers approvals by their links on a phone, in a browser that has never logged in. Reads its task as JSON from standard
// input, and prints its findings as JSON.
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
/** Least size of what a finger can hit, by WCAG 2.2. */
const TOUCH_PIXELS_MIN = 24;

async function attempt(name, act) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    isMobile: true,
    hasTouch: true,
    locale: "en-US",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on("pageerror", (error) => findings.push(`${name}: an exception: ${error.message}`));
  try {
    await act(page, context);
  } catch (error) {
    findings.push(`${name}: ${error.message}`);
    await page.screenshot({ path: join(task.pictures, `${name.replaceAll(/\W+/g, "-")}.png`), fullPage: true });
  }
  await context.close();
}

async function answer(page, link, button, field) {
  await page.goto(gateway + link);
  await page.getByText(task.question).first().waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > 360) {
    throw new Error(`the page is ${width} pixels wide`);
  }
  await page.getByLabel(field).fill("seen on a phone");
  const target = page.getByRole("button", { name: button, exact: true });
  const { height } = await target.boundingBox();
  if (height < TOUCH_PIXELS_MIN) {
    throw new Error(`the button is ${height} pixels high`);
  }
  await page.screenshot({ path: join(task.pictures, `phone-${button.toLowerCase()}.png`) });
  await target.tap();
  await page.getByText("Thank you").first().waitFor();
}

await attempt("somebody approves without a login", async (page, context) => {
  await answer(page, task.accepted, "Approve", "why");
  if ((await context.cookies()).length > 0) {
    throw new Error(`the browser has cookies: ${JSON.stringify(await context.cookies())}`);
  }
  // The link gives nothing else away.
  await page.goto(`${gateway}/runs`);
  await page.getByRole("link", { name: "Log in" }).waitFor();
});

await attempt("somebody denies without a login", (page) => answer(page, task.denied, "Deny", "Comment"));

await attempt("a link of nobody is refused in words", async (page) => {
  await page.goto(gateway + task.accepted.replace(/.{4}$/, "AAAA"));
  await page.getByRole("alert").first().waitFor();
});

await browser.close();
console.log(JSON.stringify({ findings }));
