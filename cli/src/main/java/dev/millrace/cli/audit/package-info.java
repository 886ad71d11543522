/** Commands for the record of who did what. */
@NullMarked
package dev.millrace.cli.audit;

import org.jspecify.annotations.NullMarked;
