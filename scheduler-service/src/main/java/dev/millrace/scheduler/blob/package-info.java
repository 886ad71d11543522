/** Blobs: bytes that payloads refer to, their rows and stores, and the sweep of those that nobody needs. */
@NullMarked
package dev.millrace.scheduler.blob;

import org.jspecify.annotations.NullMarked;
