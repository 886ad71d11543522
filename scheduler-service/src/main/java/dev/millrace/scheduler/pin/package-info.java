/** Pins: runs that people keep, however old they become. */
@NullMarked
package dev.millrace.scheduler.pin;

import org.jspecify.annotations.NullMarked;
