/** Commands that show workers. */
@NullMarked
package dev.millrace.cli.worker;

import org.jspecify.annotations.NullMarked;
