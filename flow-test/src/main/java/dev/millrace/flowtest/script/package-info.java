/** Runs scripts of this machine in real processes, for tests: a worker whose scheduler is in this package. */
@NullMarked
package dev.millrace.flowtest.script;

import org.jspecify.annotations.NullMarked;
