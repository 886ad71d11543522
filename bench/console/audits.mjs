// Scores of Lighthouse for a page, as it looks on a desktop.
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";

/** Scores from 0 to 100 by category. Fails if there is no score, which is not the same as a score of 0. */
export async function audits(program, url) {
  const chrome = await launch({
    chromePath: program,
    chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"],
  });
  try {
    const options = { port: chrome.port, output: "json", logLevel: "error", onlyCategories: ["performance", "accessibility"] };
    const { lhr } = await lighthouse(url, options, desktopConfig);
    return Object.fromEntries(
      Object.entries(lhr.categories).map(([name, { score }]) => {
        if (score === null) {
          const faults = Object.values(lhr.audits).flatMap(({ id, errorMessage }) => (errorMessage ? [`${id}: ${errorMessage}`] : []));
          throw new Error(`there is no score of ${name}: ${faults[0] ?? lhr.runtimeError?.message}`);
        }
        return [name, Math.round(score * 100)];
      }),
    );
  } finally {
    await chrome.kill();
  }
}
