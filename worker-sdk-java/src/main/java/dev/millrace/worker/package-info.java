/** The worker SDK: connect to a scheduler, take jobs, run them in Java handlers or in warm Python and Deno processes. */
@NullMarked
package dev.millrace.worker;

import org.jspecify.annotations.NullMarked;
