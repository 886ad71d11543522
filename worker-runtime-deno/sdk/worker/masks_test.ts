import { assertEquals } from "../../src/testing/asserts.ts";
import { Masks } from "./masks.ts";

const masks = new Masks([new TextEncoder().encode("päss/word+1"), new TextEncoder().encode('{"key":"0123456789"}')]);

Deno.test("masks each spelling of a secret, wherever it begins in Base64", () => {
  const spellings = [
    "päss/word+1",
    "p\\u00e4ss\\/word+1",
    "p%C3%A4ss%2Fword%2B1",
    "p%c3%a4ss/word%2b1",
    btoa(String.fromCharCode(...new TextEncoder().encode("päss/word+1"))),
    "70c3a473732f776f72642b31",
  ];
  assertEquals(spellings.map((spelling) => masks.text(`<${spelling}>`)), spellings.map(() => "<***>"));
  const basic = btoa("user:" + String.fromCharCode(...new TextEncoder().encode("päss/word+1")));
  assertEquals(masks.text(basic).includes("***"), true);
});

Deno.test("masks the texts of a secret that is JSON", () => {
  assertEquals(masks.text("key=0123456789;"), "key=***;");
});

Deno.test("makes one mask of secrets that touch or overlap", () => {
  const overlapping = new Masks([new TextEncoder().encode("abcdefgh"), new TextEncoder().encode("efghijkl")]);
  assertEquals(overlapping.text("-abcdefghijkl-abcdefghefghijkl-"), "-***-***-");
});

Deno.test("keeps JSON valid, and masks keys and numbers in it", () => {
  assertEquals(
    masks.json('{"0123456789":[1,123456789,"päss/word+1"],"__proto__":null}'),
    '{"***":[1,123456789,"***"],"__proto__":null}',
  );
  assertEquals(new Masks([new TextEncoder().encode("12345678")]).json("[912345678]"), '["***"]');
});

Deno.test("does not mask short texts", () => {
  assertEquals(new Masks([new TextEncoder().encode("abc")]).text("abc"), "abc");
});
