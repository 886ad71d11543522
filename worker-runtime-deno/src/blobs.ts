/** Values that are too large for inputs and results: files, tables, models. */

/**
 * A reference to a blob, a sequence of bytes that the workspace keeps. It is plain JSON, may be anywhere in a result or an
 * input, and grants nothing: whoever opens it must be of the workspace of the blob.
 */
export interface BlobReference {
  /** Id of the blob, a UUID. */
  readonly $blob: string;
  /** Number of bytes. */
  readonly bytes: number;
  /** SHA-256 of the bytes, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** What the bytes are, as whoever saved them said, such as `image/png`. */
  readonly media_type: string;
}

/**
 * What a blob can be made of: bytes, a stream of them such as the body of a response, a web `Blob`, or the file at a path.
 * A text is not among them, as it could be a path or the content.
 */
export type BlobSource = Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Blob | BlobFile;

/** A file as the source of a blob. */
export interface BlobFile {
  /** Path of the file. */
  readonly path: string;
}

/** Options for saving a blob. */
export interface PutOptions {
  /** What the bytes are, 1 to 255 printable ASCII characters; `application/octet-stream` by default. */
  readonly mediaType?: string;
}

/** Blobs of the workspace of the job. */
export interface Blobs {
  /**
   * Saves a blob, and resolves once it is durable. It is kept as long as the run, or longer if other runs open it.
   *
   * @example
   * ```ts
   * const response = await fetch(url);
   * return await ctx.blobs.put(response.body!, { mediaType: "text/csv" });
   * ```
   *
   * @throws {TypeError} The source is of another type, such as a text.
   * @throws {CallFailed} The blob is too large, the workspace has no room for it, the job has lost its lease, or the
   * scheduler cannot be reached.
   */
  put(source: BlobSource, options?: PutOptions): Promise<BlobReference>;
  /**
   * Opens a blob as a stream. Read it to its end or cancel it, so that its room on the disk becomes free.
   *
   * @example
   * ```ts
   * const text = await new Response(await ctx.blobs.open(table)).text();
   * ```
   *
   * @throws {TypeError} It is no reference to a blob.
   * @throws {CallFailed} The workspace has no such blob, the disk has no room, the job has lost its lease, or the scheduler
   * cannot be reached.
   */
  open(blob: BlobReference): Promise<ReadableStream<Uint8Array>>;
}

/** What blobs are unless somebody says more. */
export const ANY_BYTES = "application/octet-stream";

/** Returns the id in a reference. */
export function idOf(reference: unknown): string {
  const id = typeof reference === "object" && reference !== null && "$blob" in reference ? reference.$blob : undefined;
  if (typeof id === "string") return id;
  throw new TypeError(
    "This is no reference to a blob: pass what put has returned, or the result of a step that returned it.",
  );
}

/** Returns the parts of a source that is no file. */
export function partsOf(source: Exclude<BlobSource, BlobFile>): AsyncIterable<Uint8Array> {
  if (source instanceof Uint8Array) return only(source);
  if (source instanceof Blob) return source.stream();
  if (typeof source === "object" && source !== null && Symbol.asyncIterator in source) return source;
  throw new TypeError(
    "put takes a Uint8Array, a stream of them, a web Blob, or { path } of a file;" +
      ` this is ${source === null ? "null" : `of type ${typeof source}`}.`,
  );
}

/** Whether a source is the file at a path. */
export function isFile(source: BlobSource): source is BlobFile {
  return typeof source === "object" && source !== null && "path" in source && typeof source.path === "string" &&
    !(Symbol.asyncIterator in source);
}

async function* only(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes);
}
