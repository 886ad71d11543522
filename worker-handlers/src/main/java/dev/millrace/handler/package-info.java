/** The handlers that the ready-made worker brings along. */
@NullMarked
package dev.millrace.handler;

import org.jspecify.annotations.NullMarked;
