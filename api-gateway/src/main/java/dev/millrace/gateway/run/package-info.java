/** Endpoints for runs and their steps. */
@NullMarked
package dev.millrace.gateway.run;

import org.jspecify.annotations.NullMarked;
