/** Endpoints for scripts. */
@NullMarked
package dev.millrace.gateway.script;

import org.jspecify.annotations.NullMarked;
