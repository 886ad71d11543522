/** Goes from one scheduler of a list to the next. */

import type { ClientHttp2Stream, ClientSessionRequestOptions, OutgoingHttpHeaders } from "node:http2";
import type { Http2SessionManager } from "@connectrpc/connect-node";

/** Longest time in which a connection must be made, if there is another scheduler to try. */
const CONNECT_MILLIS_MAX = 5_000;

/** The connection to one scheduler, which is made when it is first needed and again after it was lost. */
export type SchedulerSession = Pick<
  Http2SessionManager,
  "authority" | "connect" | "request" | "notifyResponseByteRead" | "abort"
>;

/** Sends all requests to one scheduler of a list, and to the next one once that cannot be reached. */
export class ListedSessions {
  /** The first scheduler, which stands for all: requests name it, whichever they are sent to. */
  readonly authority: string;
  readonly #sessions: readonly SchedulerSession[];
  readonly #connectMillisMax: number;
  #present = 0;

  constructor(sessions: readonly SchedulerSession[], connectMillisMax = CONNECT_MILLIS_MAX) {
    this.#sessions = sessions;
    this.#connectMillisMax = connectMillisMax;
    this.authority = this.#at(0).authority;
  }

  /** Sends a request to the first scheduler that can be reached, or fails as the last one of the list does. */
  async request(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    options: Omit<ClientSessionRequestOptions, "signal">,
  ): Promise<ClientHttp2Stream> {
    for (let left = this.#sessions.length - 1; left > 0; left--) {
      const place = this.#present;
      if (await this.#isReachable(this.#at(place))) break;
      // Another request may have moved on already.
      if (this.#present === place) this.#present = (place + 1) % this.#sessions.length;
    }
    return await this.#at(this.#present).request(method, path, headers, options);
  }

  notifyResponseByteRead(stream: ClientHttp2Stream): void {
    for (const session of this.#sessions) session.notifyResponseByteRead(stream);
  }

  /** Drops all connections; requests in progress fail. */
  abort(reason: Error): void {
    for (const session of this.#sessions) session.abort(reason);
  }

  async #isReachable(session: SchedulerSession): Promise<boolean> {
    let late: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<"error">((resolve) => {
      late = setTimeout(() => {
        session.abort(new Error(`${session.authority} does not answer.`));
        resolve("error");
      }, this.#connectMillisMax);
    });
    try {
      return await Promise.race([session.connect(), patience]) !== "error";
    } finally {
      clearTimeout(late);
    }
  }

  #at(place: number): SchedulerSession {
    const session = this.#sessions[place];
    if (session === undefined) throw new RangeError("A list of schedulers has at least one address.");
    return session;
  }
}
