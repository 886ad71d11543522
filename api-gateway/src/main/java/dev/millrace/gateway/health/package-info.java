/** Whether the gateway lives and can serve. */
@NullMarked
package dev.millrace.gateway.health;

import org.jspecify.annotations.NullMarked;
