/** Inputs that scripts take: their schemas, who reads them, and the check of what is submitted. */
@NullMarked
package dev.millrace.scheduler.input;

import org.jspecify.annotations.NullMarked;
