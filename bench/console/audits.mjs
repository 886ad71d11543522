// Scores of Lighthouse for a page, as it looks on a desktop.
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";

/** Scores from 0 to 100 by category. */
export async function audits(program, url) {
  const chrome = await launch({
    chromePath: program,
    chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"],
  });
  try {
    const options = { port: chrome.port, output: "json", logLevel: "error", onlyCategories: ["performance", "accessibility"] };
    const { lhr } = await lighthouse(url, options, desktopConfig);
    return Object.fromEntries(Object.entries(lhr.categories).map(([name, { score }]) => [name, Math.round(score * 100)]));
  } finally {
    await chrome.kill();
  }
}
