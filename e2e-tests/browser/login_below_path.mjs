// Logs in to the console below a path of another site, without any other host, acts there, and answers a signed link on a
// phone without a login. Reads its task as JSON from standard input, and prints its findings as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, devices } from "playwright-core";
import { prefixProxy } from "./prefix_proxy.mjs";

const PREFIX = "/tools/millrace";
const task = JSON.parse(readFileSync(0, "utf8"));
const findings = [];
const proxy = await prefixProxy(task.gateway, PREFIX, (path) => findings.push(`asked for ${path}, outside of the path`));
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
});

/** A person's browser that reaches no other host. */
async function person(options) {
  const context = await browser.newContext(options);
  await context.route(
    (url) => url.protocol.startsWith("http") && url.host !== new URL(proxy.address).host,
    (route) => {
      findings.push(`asked another host: ${route.request().url()}`);
      return route.abort();
    },
  );
  const page = await context.newPage();
  page.setDefaultTimeout(12_000);
  page.on("pageerror", (error) => findings.push(`an exception at ${page.url()}: ${error.message}`));
  return page;
}

const isStyled = (page) => page.evaluate(() => [...document.styleSheets].some((sheet) => sheet.cssRules.length > 0));

async function attempt(name, page, act) {
  try {
    await act(page);
  } catch (error) {
    findings.push(`${name}: ${error.message}`);
    await page.screenshot({ path: join(task.pictures, `${name.replaceAll(/\W+/g, "-")}.png`), fullPage: true });
  }
}

const owner = await person({ viewport: { width: 1280, height: 800 } });

await attempt("login", owner, async (page) => {
  await page.goto(`${proxy.address}/runs/${task.run}?tab=graph`);
  await page.getByRole("link", { name: "Log in" }).click();
  await page.getByLabel("Token").fill("mrt_nobody_has_this_token");
  await page.getByRole("button").first().click();
  await page.locator(".failure").waitFor();
  if (!(await isStyled(page))) {
    findings.push("the page of the login has no style");
  }
  await page.getByLabel("Token").fill(task.owner);
  await page.getByRole("button").first().click();
  await page.waitForURL(`${proxy.address}/runs/${task.run}?tab=graph`);
});

await attempt("links and live data", owner, async (page) => {
  await page.goto(`${proxy.address}/`);
  await page.getByRole("link", { name: "Runs", exact: true }).first().click();
  await page.waitForURL(`${proxy.address}/runs`);
  await page.getByText(task.run).first().click();
  await page.waitForURL((url) => url.pathname === `${PREFIX}/runs/${task.run}`);
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  await page.getByRole("button", { name: "Approve", exact: true }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
  await page.locator("main").getByText("Succeeded", { exact: true }).first().waitFor();
});

await attempt("the code of a program", await person({}), async (page) => {
  await page.goto(`${proxy.address}/device?user_code=BCDF-GHJK`);
  await page.getByLabel("Token").fill(task.owner);
  await page.getByRole("button").first().click();
  await page.waitForURL(`${proxy.address}/device?user_code=BCDF-GHJK`);
  await page.getByRole("link", { name: "Enter a code" }).click();
  await page.getByLabel("Code").fill("BCDF-GHJK");
  await page.getByRole("button").first().click();
  await page.waitForURL(`${proxy.address}/device?user_code=BCDF-GHJK`);
});

await attempt("a signed link on a phone", await person({ ...devices["Pixel 5"] }), async (page) => {
  await page.goto(proxy.address + task.link);
  await page.getByText(task.question).first().waitFor();
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overhang > 0) {
    findings.push(`the page of a link is ${overhang} pixels too wide`);
  }
  await page.screenshot({ path: join(task.pictures, "link.png"), fullPage: true });
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByText("Thank you").first().waitFor();
});

await browser.close();
proxy.close();
console.log(JSON.stringify({ findings }));
