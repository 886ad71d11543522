/** Endpoints for connected workers. */
@NullMarked
package dev.millrace.gateway.worker;

import org.jspecify.annotations.NullMarked;
