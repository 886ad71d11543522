/** Fake scheduler with a real port for tests of the worker, controlled by the tests. */
@NullMarked
package dev.millrace.worker.testing;

import org.jspecify.annotations.NullMarked;
