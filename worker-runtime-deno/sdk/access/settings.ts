/** Chooses scheduler, workspace, token and certificates from options, environment variables and contexts. */

import { statSync } from "node:fs";
import { type AccessContext, Contexts, type Environment, readContexts } from "./contexts.ts";
import { AccessError } from "./errors.ts";
import { TokenSource } from "./tokens.ts";

const TARGET_DEFAULT = "localhost:8401";
const PORT_DEFAULT = 8401;

/** Value for an authority's file that stands for the authorities that the runtime trusts by itself. */
export const SYSTEM_AUTHORITIES = "system";

const TARGET = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/;
const PORT_MAX = 65_535;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;
const TRUE = ["true", "1", "yes", "on"];

/** How a program reaches its scheduler. What is not given comes from environment variables. */
export interface AccessOptions {
  /** `HOST:PORT` of the scheduler's gRPC services, or several separated by commas. */
  readonly target?: string;
  /** The token itself. */
  readonly token?: string;
  /** File whose first line is the token; read again when the scheduler refuses it. */
  readonly tokenFile?: string;
  /** Authorities of the scheduler's certificate in PEM, or `system`; turns TLS on. */
  readonly caFile?: string;
  /** Certificate for a scheduler that asks for one. */
  readonly certificateFile?: string;
  /** Its key. */
  readonly keyFile?: string;
  /** Whether a token may leave the machine in plain text, because something else encrypts the connection. */
  readonly allowPlaintext?: boolean;
}

/** Options of programs that also use the contexts of the command line. */
export interface ContextOptions extends AccessOptions {
  /** Workspace of all calls. */
  readonly workspace?: string;
  /** Name of a context of the command line. */
  readonly context?: string;
}

/** Files of a connection with TLS; empty texts stand for no file. */
export interface TlsFiles {
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** How a program reaches its scheduler. */
export interface Access {
  /** As it was given, for messages. */
  readonly target: string;
  /** The addresses of all schedulers in an order of chance, so that programs spread over them. */
  readonly addresses: readonly string[];
  /** Workspace of calls; empty for the server's choice. */
  readonly workspace: string;
  readonly tokens: TokenSource;
  /** Undefined for plain text. */
  readonly tls: TlsFiles | undefined;
}

/** Where settings come from beside the options. */
export interface Sources {
  /** Variable with the token; that name with `_FILE` has the path of a file. */
  readonly tokenVariable: string;
  /** Whether the contexts of the command line count. */
  readonly useContexts: boolean;
  readonly environment: Environment;
}

type Given = Required<ContextOptions>;

/**
 * Chooses each setting from the first source that names it: the options, the environment, the context.
 *
 * @throws {AccessError} The settings contradict each other, or a file cannot be used.
 */
export function chooseAccess(options: ContextOptions, sources: Sources): Access {
  const { environment } = sources;
  const given = givenBy(options, environment);
  const contexts = sources.useContexts ? readContexts(environment) : new Contexts();
  const [server, chosen] = sources.useContexts ? serverOf(given, environment, contexts) : ["", undefined] as const;
  const target = given.target || targetOf(server);
  const tokens = tokensOf(given, sources, contextFor(target, chosen));
  const tls = tlsOf(given, environment, server, chosen);
  check(target, tokens, tls, given);
  const addresses = shuffled(addressesOf(target));
  return { target, addresses, workspace: given.workspace || (chosen?.workspace ?? ""), tokens, tls };
}

function givenBy(options: ContextOptions, environment: Environment): Given {
  const of = (variable: string): string => environment[variable] ?? "";
  return {
    target: options.target || of("MILLRACE_SCHEDULER_TARGET"),
    workspace: options.workspace || of("MILLRACE_WORKSPACE"),
    token: options.token ?? "",
    tokenFile: options.tokenFile ?? "",
    caFile: options.caFile || of("MILLRACE_SCHEDULER_TLS_CA"),
    certificateFile: options.certificateFile || of("MILLRACE_SCHEDULER_TLS_CERTIFICATE"),
    keyFile: options.keyFile || of("MILLRACE_SCHEDULER_TLS_KEY"),
    context: options.context || of("MILLRACE_CONTEXT"),
    allowPlaintext: options.allowPlaintext ||
      TRUE.includes(of("MILLRACE_SCHEDULER_ALLOW_PLAINTEXT").trim().toLowerCase()),
  };
}

/** Returns the gateway that the environment or the context names, and the context that counts for it. */
function serverOf(
  given: Given,
  environment: Environment,
  contexts: Contexts,
): readonly [string, AccessContext | undefined] {
  const named = environment["MILLRACE_SERVER"] ?? "";
  if (given.context) {
    const context = contexts.require(given.context);
    if (named && !isSame(named, context.server)) {
      throw new AccessError(
        `The context '${given.context}' is one of ${context.server}, but MILLRACE_SERVER is ${named}. Unset one of them.`,
      );
    }
    return [context.server, context];
  }
  const current = contexts.current ? contexts.require(contexts.current) : undefined;
  if (named) return [named, current !== undefined && isSame(named, current.server) ? current : undefined];
  return current === undefined ? ["", undefined] : [current.server, current];
}

function isSame(one: string, other: string): boolean {
  const plain = (url: string): string => url.replace(/\/+$/, "").toLowerCase();
  return plain(one) === plain(other);
}

/** Returns the scheduler beside a gateway: the same host, and the port that schedulers have if nobody chooses another. */
function targetOf(server: string): string {
  if (!server) return TARGET_DEFAULT;
  const host = URL.canParse(server) ? new URL(server).hostname : "";
  if (!host) {
    throw new AccessError(
      `The server address '${server}' is not an http or https URL. Write it like http://localhost:8400.`,
    );
  }
  return `${host}:${PORT_DEFAULT}`;
}

/** Returns the context if its server is on the host of the scheduler: its token goes to no other host. */
function contextFor(target: string, context: AccessContext | undefined): AccessContext | undefined {
  return context !== undefined && hostOf(targetOf(context.server)) === hostOf(target) ? context : undefined;
}

function tokensOf(given: Given, sources: Sources, context: AccessContext | undefined): TokenSource {
  if (given.token && given.tokenFile) {
    throw new AccessError("token and tokenFile are both given, and only one can count. Leave one of them out.");
  }
  if (given.token || given.tokenFile) return new TokenSource(given.token, given.tokenFile);
  const variable = sources.tokenVariable;
  const text = sources.environment[variable] ?? "";
  const file = sources.environment[`${variable}_FILE`] ?? "";
  if (text && file) {
    throw new AccessError(`${variable} and ${variable}_FILE are both set, and only one can count. Unset one.`);
  }
  return text || file ? new TokenSource(text, file) : new TokenSource(context?.token ?? "", "");
}

function tlsOf(
  given: Given,
  environment: Environment,
  server: string,
  context: AccessContext | undefined,
): TlsFiles | undefined {
  if ((given.certificateFile === "") !== (given.keyFile === "")) {
    throw new AccessError(
      "A certificate of the caller needs both its file and the file of its key. Name both, or neither.",
    );
  }
  let caFile = given.caFile;
  if (!caFile && server) caFile = (environment["MILLRACE_CA_FILE"] ?? "") || (context?.caFile ?? "");
  if (!caFile && !given.certificateFile && !server.toLowerCase().startsWith("https://")) return undefined;
  for (const file of [caFile, given.certificateFile, given.keyFile]) {
    if (file && file !== SYSTEM_AUTHORITIES && statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
      throw new AccessError(
        `There is no file ${file}, which should hold a certificate or key in PEM. Correct its path.`,
      );
    }
  }
  return { caFile: caFile || SYSTEM_AUTHORITIES, certificateFile: given.certificateFile, keyFile: given.keyFile };
}

function check(target: string, tokens: TokenSource, tls: TlsFiles | undefined, given: Given): void {
  const addresses = addressesOf(target);
  if (!addresses.every(isAddress)) {
    throw new AccessError(
      `The address '${target}' of the scheduler is not HOST:PORT. Write it like ${TARGET_DEFAULT}, and several` +
        " separated by commas.",
    );
  }
  const staysHere = addresses.every((address) => LOOPBACK.test(hostOf(address)));
  if (tls === undefined && tokens.exists && !staysHere && !given.allowPlaintext) {
    throw new AccessError(
      `The token would travel unencrypted to ${target}, where others can read it on the way. Name the authority of the` +
        " scheduler's certificate (caFile, or MILLRACE_SCHEDULER_TLS_CA), or allow plain text if something else encrypts" +
        " the connection (allowPlaintext, or MILLRACE_SCHEDULER_ALLOW_PLAINTEXT=true).",
    );
  }
}

function addressesOf(target: string): string[] {
  return target.split(",");
}

function isAddress(text: string): boolean {
  return Number(TARGET.exec(text)?.[1] ?? Infinity) <= PORT_MAX;
}

function shuffled(addresses: string[]): string[] {
  for (let last = addresses.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [addresses[last], addresses[other]] = [addresses[other]!, addresses[last]!];
  }
  return addresses;
}

function hostOf(target: string): string {
  return target.slice(0, target.lastIndexOf(":")).toLowerCase();
}
