/** One server-sent event; `id` is that of the last event which had one. */
export interface ServerSentEvent {
  readonly name: string;
  readonly id: string;
  readonly data: string;
}

/** Reads server-sent events from text that arrives in pieces, which may end anywhere. */
export class SseParser {
  private rest = "";
  private name = "";
  private data: string[] = [];
  private id = "";

  /** Returns the events that the piece completes. */
  push(piece: string): ServerSentEvent[] {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    const events: ServerSentEvent[] = [];
    for (const line of lines) {
      const event = this.line(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (event !== undefined) {
        events.push(event);
      }
    }
    return events;
  }

  private line(line: string): ServerSentEvent | undefined {
    if (line === "") {
      return this.end();
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    switch (field) {
      case "event":
        this.name = value;
        break;
      case "data":
        this.data.push(value);
        break;
      case "id":
        this.id = value;
        break;
    }
    return undefined;
  }

  private end(): ServerSentEvent | undefined {
    const { name, data, id } = this;
    this.name = "";
    this.data = [];
    return data.length === 0 ? undefined : { name: name || "message", id, data: data.join("\n") };
  }
}
