/** Scenarios between a scheduler and a worker, which workers of all languages play. */
@NullMarked
package dev.millrace.e2e.conformance;

import org.jspecify.annotations.NullMarked;
