/** Triggers of events from outside, and the addresses at which webhooks are called. */
@NullMarked
package dev.millrace.gateway.trigger;

import org.jspecify.annotations.NullMarked;
