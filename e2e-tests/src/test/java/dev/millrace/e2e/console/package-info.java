/** The console, in a real browser in front of real processes. */
@NullMarked
package dev.millrace.e2e.console;

import org.jspecify.annotations.NullMarked;
