/** What jobs printed. */
@NullMarked
package dev.millrace.gateway.log;

import org.jspecify.annotations.NullMarked;
