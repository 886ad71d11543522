/** Measured values, what is made of them, and the checks that make them count. */
@NullMarked
package dev.millrace.bench.measure;

import org.jspecify.annotations.NullMarked;
