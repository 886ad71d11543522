import { expect, test, vi } from "vitest";
import { UnreachableError } from "#/api/problem.ts";

vi.hoisted(() => {
  vi.stubGlobal("document", { querySelector: () => null, location: { href: "http://localhost:8400/" } });
});
const { loadCode } = await import("#/shell/code.ts");

const fail = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

test("says that the server is down, and leaves the page alone", async () => {
  const reload = vi.fn(() => true);
  const loading = loadCode(fail, { isServed: async () => false, reload });
  await expect(loading).rejects.toBeInstanceOf(UnreachableError);
  expect(reload).not.toHaveBeenCalled();
});

test("loads the page anew if the server answers and the code is gone", async () => {
  const reloaded = new Promise<string>((resolve) => {
    const reload = () => {
      resolve("reloaded");
      return true;
    };
    loadCode(fail, { isServed: async () => true, reload }).then(resolve, resolve);
  });
  expect(await reloaded).toBe("reloaded");
});

test("does not load the page anew again and again", async () => {
  const loading = loadCode(fail, { isServed: async () => true, reload: () => false });
  await expect(loading).rejects.toThrow("Reload the page");
});

test("tries again if the server has come back", async () => {
  const load = vi
    .fn(fail as () => Promise<string>)
    .mockImplementationOnce(fail)
    .mockResolvedValueOnce("code");
  expect(await loadCode(load, { isServed: async () => true, reload: () => false })).toBe("code");
});
