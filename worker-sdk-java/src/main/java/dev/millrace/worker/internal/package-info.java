/** What the two kinds of worker share. */
@NullMarked
package dev.millrace.worker.internal;

import org.jspecify.annotations.NullMarked;
