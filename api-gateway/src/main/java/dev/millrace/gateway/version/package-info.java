/** Endpoints for the versions of flows and scripts. */
@NullMarked
package dev.millrace.gateway.version;

import org.jspecify.annotations.NullMarked;
