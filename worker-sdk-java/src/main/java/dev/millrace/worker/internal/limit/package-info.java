/** What a job may use of its worker's machine, and what it uses. */
@NullMarked
package dev.millrace.worker.internal.limit;

import org.jspecify.annotations.NullMarked;
