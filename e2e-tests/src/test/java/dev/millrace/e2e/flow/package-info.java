/** Runs the flows under {@code e2e-tests/flows}, each a folder with its definition, its input and what it must result in. */
@NullMarked
package dev.millrace.e2e.flow;

import org.jspecify.annotations.NullMarked;
