/** Operations on runs, such as pause and resume, and the record of them. */
@NullMarked
package dev.millrace.gateway.operation;

import org.jspecify.annotations.NullMarked;
