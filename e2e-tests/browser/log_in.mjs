// Logs in at a provider, approves the login of a program, looks at all pages of the way, and logs out. Reads its task as
// JSON from standard input, and prints what it has seen as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const problems = [];
const browser = await chromium.launch({
  executablePath: task.browser,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
try {
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
  const page = await context.newPage();
  page.on("console", (message) => {
    // Pages of the provider are not ours to judge, and refused calls are part of the way.
    if (message.type() === "error" && page.url().startsWith(task.gateway) && !/status of 40[0134]/.test(message.text())) {
      problems.push(message.text());
    }
  });
  const picture = (name) => page.screenshot({ path: join(task.pictures, `${name}.png`), fullPage: true });
  const require = (isTrue, text) => {
    if (!isTrue) {
      throw new Error(`${text} (at ${page.url()})`);
    }
  };

  await page.goto(task.page);
  require(page.url().startsWith(task.issuer), "The login does not lead to the provider");
  await picture("1-provider");
  for (const [name, value] of Object.entries(task.form)) {
    await page.locator(`[name="${name}"]`).fill(value);
  }
  await page.locator('[type="submit"]').first().click();
  await page.waitForURL((url) => url.href.startsWith(task.gateway));
  require((await page.locator("p.code").innerText()) === task.code, "The page does not show the code of the program");
  await picture("2-device");
  const tokens = () =>
    page.evaluate(async () => (await (await fetch("/api/v1/tokens?page_size=1000")).json()).items.filter((token) => token.kind === "user").length);
  const tokensBefore = await tokens();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { name: "The program is logged in" }).waitFor();
  await picture("3-approved");

  // The program asks every few seconds, and gets nothing if the session that has approved it has ended by then.
  const deadline = Date.now() + 30_000;
  while ((await tokens()) === tokensBefore) {
    require(Date.now() < deadline, "The program has fetched no token");
    await page.waitForTimeout(100);
  }

  const user = await page.evaluate(async () => (await (await fetch("/api/v1/whoami")).json()).principal.name);
  const cookie = (await context.cookies(task.gateway)).find((each) => each.name.endsWith("millrace-session"));

  await page.goto(`${task.gateway}/device`);
  await picture("4-enter-code");
  await page.locator("#user_code").fill("BCDF-GHJK");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "That did not work" }).waitFor();
  await picture("5-unknown-code");
  await page.goto(`${task.gateway}/login?method=token`);
  await page.getByLabel("Token").fill("mru_wrong");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator(".failure").waitFor();
  await picture("6-wrong-token");
  await page.goto(`${task.gateway}/login/callback?error=access_denied&error_description=The+user+said+no`);
  await picture("7-refused");
  await page.goto(`${task.gateway}/login/callback?state=s&code=c`);
  await picture("8-another-browser");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${task.gateway}/device`);
  await picture("9-dark-and-narrow");

  const afterLogout = await page.evaluate(async () => {
    await fetch("/logout", { method: "POST" });
    return (await fetch("/api/v1/whoami")).status;
  });
  console.log(JSON.stringify({ user, cookie, problems, after_logout: afterLogout }));
} finally {
  await browser.close();
}
