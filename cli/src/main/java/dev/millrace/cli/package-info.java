/** The {@code millrace} command line: where the process begins, and how it ends. */
@NullMarked
package dev.millrace.cli;

import org.jspecify.annotations.NullMarked;
