/** The worker's built-in handlers. */
@NullMarked
package dev.millrace.e2e.handler;

import org.jspecify.annotations.NullMarked;
