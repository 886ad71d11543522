import { expect, test } from "vitest";
import { SseParser } from "#/live/sse_parser.ts";

const TEXT =
  'id: 41\nevent: log\ndata: {"text":"a"}\n\n: keep-alive\n\nevent: step\r\ndata: {\ndata: }\n\nevent: end\ndata: {}\n\n';
const EVENTS = [
  { name: "log", id: "41", data: '{"text":"a"}' },
  { name: "step", id: "41", data: "{\n}" },
  { name: "end", id: "41", data: "{}" },
];

test("reads the same events wherever the pieces end", () => {
  for (let size = 1; size <= TEXT.length; size++) {
    const parser = new SseParser();
    const events = [];
    for (let at = 0; at < TEXT.length; at += size) {
      events.push(...parser.push(TEXT.slice(at, at + size)));
    }
    expect(events).toEqual(EVENTS);
  }
});

test("keeps an event back that is not complete", () => {
  expect(new SseParser().push("event: log\ndata: 1\n")).toEqual([]);
});
