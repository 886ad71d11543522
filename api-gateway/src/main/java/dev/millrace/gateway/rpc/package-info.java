/** Calls to the scheduler. */
@NullMarked
package dev.millrace.gateway.rpc;

import org.jspecify.annotations.NullMarked;
