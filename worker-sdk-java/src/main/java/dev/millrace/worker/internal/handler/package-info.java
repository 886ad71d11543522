/** Engine for jobs in Java handlers. */
@NullMarked
package dev.millrace.worker.internal.handler;

import org.jspecify.annotations.NullMarked;
