/** Endpoints for the output of jobs. */
@NullMarked
package dev.millrace.gateway.log;

import org.jspecify.annotations.NullMarked;
