/** Files with tests of flows: reading them, running them, and comparing what happened with what they expect. */
@NullMarked
package dev.millrace.flowtest.file;

import org.jspecify.annotations.NullMarked;
