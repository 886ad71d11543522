/** Connections to a scheduler. */

import { readFileSync } from "node:fs";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { AccessError } from "./errors.ts";
import { ListedSessions } from "./listed_sessions.ts";
import { type Access, SYSTEM_AUTHORITIES, type TlsFiles } from "./settings.ts";

/** Largest message in bytes. */
const MESSAGE_BYTES_MAX = 64 << 20;

/** Bytes that may be on their way to us before we have read them. */
const WINDOW_BYTES = 4 << 20;

/** Silence after which a connection with open calls is pinged. */
const PING_MILLIS = 10_000;

/** Time in which a ping must be answered; the connection then counts as dead and its calls fail. */
const PING_TIMEOUT_MILLIS = 4_000;

/** One connection, which is made at the first call and again after it was lost. */
export interface Connection {
  /** Sends calls. */
  readonly transport: Transport;
  /** Drops the connection; calls in progress fail as unavailable. */
  close(): void;
}

/**
 * Returns a connection to one of the schedulers.
 *
 * @param begin Counts the connections that were made before: each begins with another scheduler of the list.
 * @throws {AccessError} A certificate or key cannot be read.
 */
export function connect({ addresses, tls }: Access, begin = 0): Connection {
  const pings = { pingIntervalMs: PING_MILLIS, pingTimeoutMs: PING_TIMEOUT_MILLIS };
  const settings = { initialWindowSize: WINDOW_BYTES };
  const options = tls === undefined ? { settings } : { settings, ...credentials(tls) };
  const scheme = tls === undefined ? "http" : "https";
  const sessions = new ListedSessions(
    addresses.map((_, at) => {
      const address = addresses[(begin + at) % addresses.length];
      return new Http2SessionManager(`${scheme}://${address}`, pings, options);
    }),
  );
  const transport = createGrpcTransport({
    baseUrl: sessions.authority,
    sessionManager: sessions,
    readMaxBytes: MESSAGE_BYTES_MAX,
    writeMaxBytes: MESSAGE_BYTES_MAX,
  });
  return { transport, close: () => sessions.abort(new ConnectError("The connection was closed.", Code.Unavailable)) };
}

function credentials(tls: TlsFiles): { ca?: Buffer; cert?: Buffer; key?: Buffer } {
  try {
    return {
      ...(tls.caFile === SYSTEM_AUTHORITIES ? {} : { ca: readFileSync(tls.caFile) }),
      ...(tls.certificateFile === "" ? {} : { cert: readFileSync(tls.certificateFile) }),
      ...(tls.keyFile === "" ? {} : { key: readFileSync(tls.keyFile) }),
    };
  } catch (error) {
    throw new AccessError(`A certificate or key cannot be read: ${String(error)}. Check its path and permissions.`);
  }
}
