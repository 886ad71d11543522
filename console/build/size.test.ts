import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const WEB = new URL("../target/web/", import.meta.url);
const FIRST_LOAD_BYTES_MAX = 400_000;

test("the first load stays below its budget", () => {
  const document = readFileSync(new URL("index.html", WEB), "utf8");
  const files = [...document.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((match) => match[1] ?? "");
  const bytes = files.map((file) => gzipSync(readFileSync(new URL(file, WEB))).length);
  const sum = bytes.reduce((one, other) => one + other, 0);

  expect(files.some((file) => file.endsWith(".js"))).toBe(true);
  expect(files.some((file) => file.endsWith(".css"))).toBe(true);
  expect(sum, `the compressed bytes of ${files.join(", ")}`).toBeLessThan(FIRST_LOAD_BYTES_MAX);
});

test("the document has nothing inline, which the content security policy would refuse", () => {
  const document = readFileSync(new URL("index.html", WEB), "utf8");

  expect(document).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|\son[a-z]+=/);
});
