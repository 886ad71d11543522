/** Runs flows in one thread without server and database: fakes instead of steps' code, and a clock that jumps. */
@NullMarked
package dev.millrace.flowtest;

import org.jspecify.annotations.NullMarked;
