/** Runs the flows under {@code e2e-tests/flows}, each a folder with definition, input and expected result. */
@NullMarked
package dev.millrace.e2e.flow;

import org.jspecify.annotations.NullMarked;
