/** A scheduler for the worker's tests: a fake with a real port, driven by hand. */
@NullMarked
package dev.millrace.worker.testing;

import org.jspecify.annotations.NullMarked;
