// Opens the pages of the console while their calls fail, and looks at what they say: the server's words, and what to do
// now. Then the calls work again, and each page must come back without a reload. Reads its task as JSON from standard
// input, and prints its findings as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { fill, seeded } from "./hostile_data.mjs";

const task = JSON.parse(readFileSync(0, "utf8"));
const gateway = task.gateway.replace(/\/$/, "");
const WAIT_MILLIS = 60_000;
const TABS = 6;

/** Ways in which the calls of a page fail: with a problem document, with a page of a proxy, without an answer. */
const FAULTS = {
  401: problem(401),
  403: problem(403),
  404: problem(404),
  409: problem(409),
  429: problem(429),
  500: problem(500),
  503: problem(503),
  proxy: {
    says: "The server answered with status 502 and no explanation.",
    answer: (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }),
  },
  network: { says: "The server cannot be reached.", answer: (route) => route.abort("connectionrefused") },
};

function problem(status) {
  const says = `The test answers with ${status}, whatever is asked.`;
  const body = { type: "urn:millrace:problem:test", title: "Test", status, detail: says, code: "test", errors: [], trace_id: "" };
  return {
    says,
    answer: (route) =>
      route.fulfill({ status, contentType: "application/problem+json", body: JSON.stringify(body) }),
  };
}

/** Who is asked for by the frame, which stays whole here: a page is to say what is wrong with it. */
const isOfFrame = (url) => /\/api\/v1\/(whoami|workspaces(\?|$))/.test(url.href);
/** Pages that lead nowhere, and those that the gateway makes. */
const LEFT_OUT = /^(no-.*|nowhere|login|device)$/;

const findings = [];
const { pages } = await fill(gateway, seeded(task.seed));
const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});

async function attempt(page, name, path, fault) {
  const { says, answer } = FAULTS[fault];
  const label = `${name}-${fault}`;
  const say = (text) => findings.push(`${label}: ${text}`);
  const onError = (error) => say(`an exception: ${error.message}`);
  page.on("pageerror", onError);
  const isOfPage = (url) => url.pathname.includes("/api/v1/") && !isOfFrame(url);
  try {
    await page.route(isOfPage, answer);
    await page.goto(gateway + path);
    const alert = page.getByRole("alert").filter({ hasText: says });
    await alert.first().waitFor();
    if ((await page.getByRole("heading").count()) === 0) {
      say("the page has no heading");
    }
    const ways = await alert.first().getByRole("button").or(alert.first().getByRole("link")).allInnerTexts();
    if (ways.length === 0) {
      say("the page does not say what to do");
    }
    if (fault === "401" && !ways.includes("Log in")) {
      say("the page does not offer to log in");
    }
    await page.screenshot({ path: join(task.pictures, `${label}.png`) });
    await page.unroute(isOfPage, answer);
    // What is read anew by itself may be back before the click.
    const retry = page.getByRole("button", { name: "Try again" });
    while ((await retry.count()) > 0) {
      await retry.first().click({ timeout: 2_000 }).catch(() => undefined);
      await page.waitForTimeout(200);
    }
    await page.getByRole("alert").filter({ hasText: says }).first().waitFor({ state: "detached" });
    await page.getByText("Loading…", { exact: true }).first().waitFor({ state: "detached" });
  } catch (error) {
    await page.screenshot({ path: join(task.pictures, `${label}-failed.png`) });
    say(error.message.split("\n")[0]);
  }
  page.off("pageerror", onError);
  await page.unrouteAll();
}

const wanted = new RegExp(task.only ?? "");
// Each page fails in some of the ways, which the seed chooses, so that all ways are tried within some nights.
const kinds = Object.keys(FAULTS);
const perPage = task.faultsPerPage ?? kinds.length;
const first = Math.abs(task.seed) % kinds.length;
const left = Object.entries(pages)
  .filter(([name]) => !LEFT_OUT.test(name) && wanted.test(name))
  .flatMap(([name, path], index) =>
    Array.from({ length: perPage }, (_, round) => [name, path, kinds[(first + index * perPage + round) % kinds.length]]),
  );
const count = left.length;
await Promise.all(
  Array.from({ length: TABS }, async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MILLIS);
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      await attempt(page, ...next);
    }
    await context.close();
  }),
);
await browser.close();
console.log(JSON.stringify({ findings, attempts: count }));
