/** Commands for triggers of events from outside. */
@NullMarked
package dev.millrace.cli.trigger;

import org.jspecify.annotations.NullMarked;
