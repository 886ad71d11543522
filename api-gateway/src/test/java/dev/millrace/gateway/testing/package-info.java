/** A scheduler in memory and an HTTP client, for tests of the gateway. */
@NullMarked
package dev.millrace.gateway.testing;

import org.jspecify.annotations.NullMarked;
