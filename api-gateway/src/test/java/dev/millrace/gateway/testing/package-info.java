/** Scheduler in memory and HTTP client, for tests of the gateway. */
@NullMarked
package dev.millrace.gateway.testing;

import org.jspecify.annotations.NullMarked;
