/**
 * A client for Millrace: starts runs, follows them, and changes their course. {@link dev.millrace.client.MillraceClient}
 * blocks, {@link dev.millrace.client.AsyncMillraceClient} returns futures.
 */
@NullMarked
package dev.millrace.client;

import org.jspecify.annotations.NullMarked;
