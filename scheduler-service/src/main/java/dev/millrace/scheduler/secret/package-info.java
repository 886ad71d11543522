/**
 * Secrets: values that steps use and nobody reads back. {@link dev.millrace.scheduler.secret.Secrets} is the entry
 * point.
 */
@NullMarked
package dev.millrace.scheduler.secret;

import org.jspecify.annotations.NullMarked;
