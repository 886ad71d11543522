/** The handlers that workers bring along. */
@NullMarked
package dev.millrace.e2e.handler;

import org.jspecify.annotations.NullMarked;
