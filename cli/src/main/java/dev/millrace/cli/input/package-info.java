/** Reads what people and programs give to a command beside its arguments. */
@NullMarked
package dev.millrace.cli.input;

import org.jspecify.annotations.NullMarked;
