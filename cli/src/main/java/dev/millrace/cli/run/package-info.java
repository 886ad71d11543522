/** Commands that start runs and look at them. */
@NullMarked
package dev.millrace.cli.run;

import org.jspecify.annotations.NullMarked;
