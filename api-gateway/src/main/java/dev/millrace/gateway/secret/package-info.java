/** Secrets, which can be written but not read. */
@NullMarked
package dev.millrace.gateway.secret;

import org.jspecify.annotations.NullMarked;
