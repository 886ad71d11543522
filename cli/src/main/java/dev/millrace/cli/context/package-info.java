/** Named servers of a person with their tokens, and the choice of the server that a command calls. */
@NullMarked
package dev.millrace.cli.context;

import org.jspecify.annotations.NullMarked;
