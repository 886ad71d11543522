// Takes the pictures of docs/images from a fresh `dev`, so that they stay true: fills it over the REST API, opens ten
// pages of the console, and writes a picture of each. From the root of the repository:
//
//   ./millrace dev --ephemeral --http-port 8400
//   (cd e2e-tests/browser && npm ci && MILLRACE_SERVER=http://localhost:8400 node pictures.mjs ../../docs/images)
import { join } from "node:path";
import { chromium } from "playwright-core";

const server = (process.env.MILLRACE_SERVER ?? "http://localhost:8400").replace(/\/$/, "");
const folder = process.argv[2];
const size = { width: 1200, height: 760 };

if (folder === undefined) {
  throw new Error("The folder for the pictures is missing: node pictures.mjs FOLDER");
}

async function call(method, path, body) {
  const response = await fetch(`${server}/api/v1${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(`${method} ${path} is answered with ${response.status}: ${answer.detail}`);
  }
  return answer;
}

const run = async (target, input = {}) => (await call("POST", "/runs", { target, input })).id;
const runToEnd = async (target, input = {}) => (await call("POST", "/runs?wait=50s", { target, input })).id;

await call("POST", "/flows", {
  definition: `millrace: v1
name: shop/report
description: Counts the orders of all shops.
inputs:
  shops: {type: array, default: [Berlin, Paris, Rome, Oslo]}
steps:
  - id: load
    for_each: \${{ inputs.shops }}
    parallelism: 3
    script: load.py
    input: {shop: "\${{ item }}"}
  - id: sum
    script: sum.py
    input: {orders: "\${{ steps.load.result }}"}
  - {id: mail, needs: [sum], value: "\${{ steps.sum.result }}"}
  - {id: archive, needs: [sum], value: "\${{ steps.sum.result }}"}
output: \${{ steps.sum.result }}
`,
  files: {
    "load.py":
      'import time\n\n\ndef main(shop: str):\n    print(f"Reading the orders of {shop}")\n    time.sleep(len(shop) / 5)\n' +
      '    if shop == "Atlantis":\n        raise ValueError("There is no shop in Atlantis.")\n    return len(shop) * 7\n',
    "sum.py": 'def main(orders: list):\n    print(f"{sum(orders)} orders")\n    return {"orders": sum(orders)}\n',
  },
});
await call("POST", "/flows", {
  definition: `millrace: v1
name: shop/release
steps:
  - id: approve
    wait:
      approval: release
      required: 2
      timeout: 2d
      details:
        title: Release version 7?
        description: All checks have passed. It goes to all shops tonight.
        form: {type: object, required: [why], properties: {why: {type: string, title: Why}}}
`,
});
const done = await runToEnd({ flow: "shop/report" });
const failed = await runToEnd({ flow: "shop/report" }, { shops: ["Berlin", "Atlantis"] });
const asked = await run({ flow: "shop/release" });
await call("PUT", "/schedules/shop/nightly", {
  run: { target: { flow: "shop/report" } },
  cron: ["30 2 * * *"],
  zone: "Europe/Berlin",
  exclude: ["2026-12-24..2027-01-02"],
  description: "The nightly report of all shops.",
});
await call("PUT", "/secrets/shop/github", { value: "not-a-real-secret", description: "GitHub calls us with it." });
await call("PUT", "/triggers/webhook/shop/pushes", {
  run: { target: { flow: "shop/report" } },
  webhook: { scheme: "github", secrets: ["shop/github"], parts: ["event"] },
});
for (const shops of [["Lima"], ["Bonn", "Kyiv"]]) {
  await runToEnd({ flow: "shop/report" }, { shops });
}

const PAGES = {
  home: ["/", "Failed recently"],
  runs: ["/runs", "shop/report"],
  timeline: [`/runs/${done}`, "sum"],
  failure: [`/runs/${failed}`, "Atlantis"],
  graph: [`/runs/${done}?tab=graph`, "archive"],
  logs: [`/runs/${done}?tab=logs`, "orders"],
  editor: ["/editor/flow", "finds nothing"],
  approvals: ["/approvals", "Release version 7?"],
  schedule: ["/schedules/shop/nightly", "Next times"],
  settings: ["/settings", "shop/github"],
};

const browser = await chromium.launch({
  executablePath: process.env.MILLRACE_TEST_BROWSER ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
try {
  const page = await browser.newPage({ viewport: size, locale: "en-US", colorScheme: "light" });
  for (const [name, [path, ready]] of Object.entries(PAGES)) {
    await page.goto(server + path);
    await page.getByText(ready, { exact: false }).first().waitFor({ timeout: 30_000 });
    await page.getByText("Loading…", { exact: true }).first().waitFor({ state: "detached" });
    await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
    await page.screenshot({ path: join(folder, `console-${name}.png`) });
  }
  await call("POST", `/runs/${asked}:cancel`, {});
} finally {
  await browser.close();
}
