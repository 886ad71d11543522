/** Commands that bring flows and scripts to the server, and show those that are there. */
@NullMarked
package dev.millrace.cli.definition;

import org.jspecify.annotations.NullMarked;
