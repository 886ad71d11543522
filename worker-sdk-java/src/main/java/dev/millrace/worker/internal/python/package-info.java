/** The Python interpreters of this machine, and which of them a script wants. */
@NullMarked
package dev.millrace.worker.internal.python;

import org.jspecify.annotations.NullMarked;
