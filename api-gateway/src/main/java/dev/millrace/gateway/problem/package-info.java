/** Failures as RFC 9457 problem documents. */
@NullMarked
package dev.millrace.gateway.problem;

import org.jspecify.annotations.NullMarked;
