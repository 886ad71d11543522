/** The {@code millrace} command line: its entry point, its commands and its exit codes. */
@NullMarked
package dev.millrace.cli;

import org.jspecify.annotations.NullMarked;
