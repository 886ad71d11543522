import { assertEquals } from "../../src/testing/asserts.ts";
import { SessionLife } from "./life.ts";

Deno.test("jobs may begin for half of the time to live after the sending of the newest answered heartbeat", () => {
  let now = 0;
  const life = new SessionLife(() => now);
  assertEquals(life.isCertain, false);
  life.opened(0, 100);
  now = 40;
  const first = life.send();
  now = 49;
  assertEquals(life.isCertain, true);
  life.answered(first);
  now = 89;
  assertEquals(life.isCertain, true);
  now = 90;
  assertEquals(life.isCertain, false);
});

Deno.test("an answer to an old heartbeat counts from when that was sent", () => {
  let now = 0;
  const life = new SessionLife(() => now);
  life.opened(0, 100);
  const first = life.send();
  now = 60;
  life.send();
  life.answered(first);
  assertEquals(life.isCertain, false);
});

Deno.test("no job may begin once the stream has ended", () => {
  const life = new SessionLife(() => 10);
  life.opened(10, 100);
  life.interrupted();
  assertEquals(life.isCertain, false);
});
