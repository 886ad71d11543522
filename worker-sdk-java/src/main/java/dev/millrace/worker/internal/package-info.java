/** Parts shared by both kinds of worker. */
@NullMarked
package dev.millrace.worker.internal;

import org.jspecify.annotations.NullMarked;
