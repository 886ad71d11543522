// Opens pages of the console as several people, and compares the buttons and links that each page offers with what each
// person may do. No page may ask the server for what it refuses. Reads its
// task as JSON from standard input, and prints its findings as JSON.
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

/** Logs in with a token at the page of the login. */
async function logIn(page, token) {
  await page.goto(`${gateway}/login?return_to=/`);
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button").first().click();
  await page.waitForURL((url) => url.pathname === "/");
}

/** The names of the buttons and of the links to editors that the page offers. */
async function offered(page) {
  const main = page.locator("main");
  await main.locator("h1").first().waitFor();
  await page.getByText("Loading…", { exact: true }).first().waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle", { timeout: 2_000 }).catch(() => undefined);
  const buttons = await main.getByRole("button").allInnerTexts();
  const editors = await main.locator('a[href*="/editor/"]').allInnerTexts();
  return new Set([...buttons, ...editors].map((text) => text.trim()));
}

for (const person of task.people) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  const page = await context.newPage();
  page.setDefaultTimeout(12_000);
  page.on("response", (response) => {
    // A page must not ask for what the person may not see.
    if (response.status() === 403) {
      findings.push(`${person.name}: ${new URL(page.url()).pathname} asks for ${new URL(response.url()).pathname}`);
    }
  });
  try {
    await logIn(page, person.token);
    for (const { path, offers = [], hides = [] } of person.pages) {
      await page.goto(gateway + path);
      const names = await offered(page);
      for (const name of offers.filter((name) => !names.has(name))) {
        findings.push(`${person.name}: ${path} does not offer ${name}, but ${[...names].join(", ")}`);
      }
      for (const name of hides.filter((name) => names.has(name))) {
        findings.push(`${person.name}: ${path} offers ${name}`);
      }
    }
    const menu = await page.getByRole("navigation", { name: "Menu" }).getByRole("link").allInnerTexts();
    for (const name of person.places.filter((name) => !menu.includes(name))) {
      findings.push(`${person.name}: the menu has no ${name}`);
    }
    for (const name of person.noPlaces.filter((name) => menu.includes(name))) {
      findings.push(`${person.name}: the menu has ${name}`);
    }
    await page.screenshot({ path: join(task.pictures, `${person.name}.png`), caret: "initial" });
  } catch (error) {
    findings.push(`${person.name}: ${page.url()}: ${error.message}`);
    await page.screenshot({ path: join(task.pictures, `${person.name}-failed.png`), fullPage: true, caret: "initial" });
  }
  await context.close();
}
await browser.close();
console.log(JSON.stringify({ findings }));
