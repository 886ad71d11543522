// Measures pages of the console in a headless Chromium: what they load, when they paint, and how long they block. Reads its
// task as JSON from standard input, prints the figures as one JSON object, and what it does to standard error.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { audits } from "./audits.mjs";
import { openPage, paintOf, watched } from "./pages.mjs";

const task = JSON.parse(readFileSync(0, "utf8"));
const gateway = task.gateway.replace(/\/$/, "");
const figures = {};
const say = (text) => console.error(text);
const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];

/** Measures several times, and keeps the median of each figure. A round that fails is named, and leaves the others. */
async function measure(name, rounds, act) {
  say(name);
  const seen = [];
  for (let round = 0; round < rounds; round++) {
    try {
      seen.push(await act());
    } catch (error) {
      figures[`${name}_failed`] = String(error.message).slice(0, 300);
    }
  }
  for (const figure of Object.keys(seen[0] ?? {})) {
    figures[`${name}_${figure}`] = median(seen.map((round) => round[figure]));
  }
}

const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--remote-debugging-port=0"],
});

/** Opens a page of a fresh browser, waits for what `ready` waits for, and then does what `act` does. */
async function visit(path, ready, act = async () => ({})) {
  const page = await openPage(browser, gateway + path);
  try {
    await ready(page);
    const shown_ms = await page.evaluate(() => performance.now());
    const more = await act(page);
    return { shown_ms, ...more };
  } finally {
    await page.context().close();
  }
}

const TIMEOUT = { timeout: 120_000 };

// Services that have just started interpret their code: the first visits do not count.
for (let visits = 0; visits < 3; visits++) {
  await visit("/runs", (page) => page.locator("main li a").first().waitFor(TIMEOUT));
}

await measure("first_load", task.rounds, () =>
  visit("/", (page) => page.getByRole("navigation").first().waitFor(TIMEOUT), async (page) => {
    await page.waitForTimeout(500);
    return { gzip_kib: page.loadedBytes() / 1024, first_paint_ms: await paintOf(page) };
  }),
);

for (const [name, query] of Object.entries(task.lists)) {
  await measure(`list_${name}`, 11, async () => {
    const begin = performance.now();
    const response = await fetch(`${gateway}/api/v1/runs?page_size=100${query}`);
    await response.arrayBuffer();
    return { ms: performance.now() - begin };
  });
}

await measure("runs_page", task.rounds, () =>
  visit("/runs", (page) => page.locator("main li a").first().waitFor(TIMEOUT), async (page) => ({
    longest_task_ms: await watched(page, async () => {
      for (let more = 0; more < 5; more++) {
        await page.mouse.wheel(0, 20_000);
        await page.getByRole("button", { name: "Show more" }).click({ timeout: 5_000 }).catch(() => undefined);
      }
    }),
  })),
);

const rows = (page) => page.locator("[data-entry]");

await measure("steps", task.rounds, () =>
  visit(`/runs/${task.steps.run}`, (page) => rows(page).first().waitFor(TIMEOUT), async (page) => {
    await page.waitForFunction(
      (least) => [...document.querySelectorAll("main div")].some((box) => box.scrollHeight >= least),
      task.steps.number * 30,
      TIMEOUT,
    );
    const complete_ms = await page.evaluate(() => performance.now());
    const opening_longest_task_ms = await watched(page, async () => undefined);
    await rows(page).first().hover();
    const scrolling_longest_task_ms = await watched(page, async () => {
      for (let turn = 0; turn < 40; turn++) {
        await page.mouse.wheel(0, 4_000);
        await page.waitForTimeout(30);
      }
    });
    return { complete_ms, opening_longest_task_ms, scrolling_longest_task_ms };
  }),
);

await measure("loop", task.rounds, () =>
  visit(
    `/runs/${task.loop.run}`,
    (page) => page.getByText(new RegExp(`${task.loop.number}\\s*/\\s*${task.loop.number}`)).first().waitFor(TIMEOUT),
    async (page) => {
      const opening_longest_task_ms = await watched(page, async () => undefined);
      const begin = performance.now();
      const unfolding_longest_task_ms = await watched(page, async () => {
        await page.getByRole("button", { expanded: false }).last().click();
        await page.getByText("[0]", { exact: true }).first().waitFor(TIMEOUT);
      });
      const heap_mib = await page.heapMib();
      return { opening_longest_task_ms, unfolded_ms: performance.now() - begin, unfolding_longest_task_ms, heap_mib };
    },
  ),
);

await measure("graph", task.rounds, () =>
  visit(`/runs/${task.graph.run}?tab=graph`, (page) => page.locator(".react-flow__node").first().waitFor(TIMEOUT), async (page) => {
    const opening_longest_task_ms = await watched(page, async () => undefined);
    await page.locator(".react-flow__pane").hover();
    const moving_longest_task_ms = await watched(page, async () => {
      for (let turn = 0; turn < 20; turn++) {
        await page.mouse.wheel(0, turn < 10 ? -200 : 200);
        await page.waitForTimeout(50);
      }
    });
    return { opening_longest_task_ms, moving_longest_task_ms };
  }),
);

await measure("log", 1, () =>
  visit(`/runs/${task.log.run}?tab=logs`, (page) => page.getByText(task.log.first).first().waitFor(TIMEOUT), async (page) => {
    const log = page.getByRole("log");
    await log.focus();
    const toEnd = performance.now();
    const to_end_longest_task_ms = await watched(page, async () => {
      await page.keyboard.press("End");
      await page.getByText(task.log.last).first().waitFor(TIMEOUT);
    });
    const end_ms = performance.now() - toEnd;
    await log.hover();
    const scrolling_longest_task_ms = await watched(page, async () => {
      for (let turn = 0; turn < 60; turn++) {
        await page.mouse.wheel(0, -1_500);
        await page.waitForTimeout(30);
      }
    });
    const toFind = performance.now();
    await page.locator("[data-filter]").first().fill(task.log.wanted);
    await page.keyboard.press("Enter");
    await log.getByText(task.log.wanted).first().waitFor(TIMEOUT);
    const find_ms = performance.now() - toFind;
    const heap_mib = await page.heapMib();
    return { end_ms, to_end_longest_task_ms, scrolling_longest_task_ms, find_ms, heap_mib };
  }),
);
await browser.close();

for (const [name, path] of [["home", "/"], ["runs", "/runs"], ["run", `/runs/${task.graph.run}`]]) {
  await measure(`lighthouse_${name}`, task.rounds, () => audits(task.browser, gateway + path));
}
console.log(JSON.stringify(figures));
