// Opens pages of the console behind a proxy that serves the gateway below a path, in a browser that reaches no other host:
// each page must work from its address, from a link and after a reload, and must ask nobody else for anything. Reads its
// task as JSON from standard input, and prints its findings as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { prefixProxy } from "./prefix_proxy.mjs";

const task = JSON.parse(readFileSync(0, "utf8"));
const PREFIX = "/tools/millrace";
const WAIT_MILLIS = 60_000;
const findings = [];

const proxy = await prefixProxy(task.gateway, PREFIX, (path) =>
  findings.push(`the browser asks for ${path}, which is not below the prefix`),
);

const browser = await chromium.launch({
  executablePath: task.browser,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
  ],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
page.setDefaultTimeout(WAIT_MILLIS);
page.on("pageerror", (error) => findings.push(`an exception: ${error.message}`));
page.on("console", (message) => message.type() === "error" && findings.push(`the browser says: ${message.text()}`));
page.on("request", (sent) => {
  const { protocol, origin } = new URL(sent.url());
  if (protocol.startsWith("http") && origin !== new URL(proxy.address).origin) {
    findings.push(`the page asks ${origin}: ${sent.url()}`);
  }
});

const main = page.locator("main");
const open = (path) => page.goto(proxy.address + path);
const see = (text) => main.getByText(text, { exact: false }).first().waitFor();

const scenarios = {
  async "pages open from their addresses, and again after a reload"() {
    for (const [path, text] of Object.entries(task.pages)) {
      await open(path);
      await see(text);
      await page.reload();
      await see(text);
    }
    await page.screenshot({ path: join(task.pictures, "below-a-prefix.png") });
  },
  async "links and keys stay below the prefix"() {
    await open("/");
    for (const [link, path] of Object.entries(task.links)) {
      await page.getByRole("navigation").getByRole("link", { name: link, exact: true }).click();
      await page.waitForURL(proxy.address + path);
    }
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.waitForURL(`${proxy.address}/runs`);
    await page.locator(`a[href$="${task.run}"]`).first().click();
    await page.waitForURL(`${proxy.address}/runs/${task.run}`);
    await page.goBack();
    await page.waitForURL(`${proxy.address}/runs`);
  },
  async "streams and actions go below the prefix"() {
    await open("/scripts/console/prefixed.py");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForURL(/\/runs\//);
    await see("Succeeded");
    if (!page.url().startsWith(`${proxy.address}/runs/`)) {
      throw new Error(`the page of the run is ${page.url()}`);
    }
  },
};

for (const [name, scenario] of Object.entries(scenarios)) {
  try {
    await scenario();
  } catch (error) {
    findings.push(`${name}: ${error.message} at ${page.url()}`);
    await page.screenshot({ path: join(task.pictures, `${name.replaceAll(/\W+/g, "-")}.png`), fullPage: true });
  }
}
await browser.close();
proxy.close();
console.log(JSON.stringify({ findings }));
