/** Commands that send flows and scripts to the server, and show those that are deployed. */
@NullMarked
package dev.millrace.cli.definition;

import org.jspecify.annotations.NullMarked;
