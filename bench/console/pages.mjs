// A page of a fresh browser that counts what it loads and how long it blocks.

/** Opens an address; the page gets `loadedBytes` and `heapMib`. */
export async function openPage(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  const files = new Set();
  session.on("Network.responseReceived", ({ requestId, response }) => {
    if (!new URL(response.url).pathname.startsWith("/api/")) {
      files.add(requestId);
    }
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (files.has(requestId)) {
      bytes += encodedDataLength;
    }
  });
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
      type: "longtask",
      buffered: true,
    });
  });
  page.loadedBytes = () => bytes;
  page.heapMib = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize / (1 << 20);
  };
  await page.goto(url, { waitUntil: "commit" });
  return page;
}

/** Milliseconds until the first contentful paint. */
export function paintOf(page) {
  return page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
}

/** Does something, and returns the longest task of the page since the last call, in milliseconds; 0 if none took 50. */
export async function watched(page, act) {
  await act();
  return page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return Math.max(0, ...globalThis.longTasks.splice(0));
  });
}
