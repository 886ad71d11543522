/** The connection to the scheduler: its channel, its certificates, and the token of its calls. */
@NullMarked
package dev.millrace.worker.internal.connection;

import org.jspecify.annotations.NullMarked;
