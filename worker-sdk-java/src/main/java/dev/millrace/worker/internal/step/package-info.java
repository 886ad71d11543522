/** What user code asks for while it runs: mutexes, data of the run, keys that name the step. */
@NullMarked
package dev.millrace.worker.internal.step;

import org.jspecify.annotations.NullMarked;
