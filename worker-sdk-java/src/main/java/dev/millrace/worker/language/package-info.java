/** What a program implements to add a language in which scripts are written. */
@NullMarked
package dev.millrace.worker.language;

import org.jspecify.annotations.NullMarked;
