/** Commands that start runs, show them and operate on them. */
@NullMarked
package dev.millrace.cli.run;

import org.jspecify.annotations.NullMarked;
