/** {@code millrace test}: finds files with tests of flows, runs them in this process, and prints what they found. */
@NullMarked
package dev.millrace.cli.flowtest;

import org.jspecify.annotations.NullMarked;
