/** Queries in jq. */
@NullMarked
package dev.millrace.scheduler.expression.jq;

import org.jspecify.annotations.NullMarked;
