/** Reads YAML as JSON with comments, like the definitions of flows. */
@NullMarked
package dev.millrace.cli.yaml;

import org.jspecify.annotations.NullMarked;
