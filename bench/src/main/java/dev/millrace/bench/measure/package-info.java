/** Measured values, their statistics, and the checks that make them valid. */
@NullMarked
package dev.millrace.bench.measure;

import org.jspecify.annotations.NullMarked;
