/**
 * Who may do what: the caller of an RPC, its rights, the rule of each RPC, and the interceptors that enforce them. It
 * knows neither tokens nor tables; {@link dev.millrace.scheduler.access.Credentials} is what it asks.
 */
@NullMarked
package dev.millrace.scheduler.access;

import org.jspecify.annotations.NullMarked;
