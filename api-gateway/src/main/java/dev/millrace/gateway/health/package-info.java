/** Liveness and readiness of the gateway. */
@NullMarked
package dev.millrace.gateway.health;

import org.jspecify.annotations.NullMarked;
