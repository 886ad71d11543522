import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const WEB = new URL("../target/web/", import.meta.url);
const FIRST_LOAD_BYTES_MAX = 400_000;
const REFERENCE_BYTES_MAX = 60_000;

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

test("the reference of the API is a file of its own that stays below its budget", () => {
  const assets = new URL("assets/", WEB);
  const files = readdirSync(assets).filter((file) => file.startsWith("docs_page-") && file.endsWith(".js"));
  const [text] = files.map((file) => readFileSync(new URL(file, assets), "utf8"));

  expect(files).toHaveLength(1);
  expect(text).toContain("submitRun");
  expect(gzipSync(text ?? "").length).toBeLessThan(REFERENCE_BYTES_MAX);
});

test("no code is made of text, which the content security policy would refuse", () => {
  const document = readFileSync(new URL("index.html", WEB), "utf8");
  const [first = ""] = /src="\.\/(assets\/[^"]+)"/.exec(document)?.slice(1) ?? [];
  const docs = readdirSync(new URL("assets/", WEB)).filter((file) => file.startsWith("docs_page-"));
  for (const file of [first, ...docs.map((name) => `assets/${name}`)]) {
    expect(readFileSync(new URL(file, WEB), "utf8"), file).not.toMatch(/\beval\(|new Function\(/);
  }
});
