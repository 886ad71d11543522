/** Connections of callers: what one may have open, how much of its answers may lie unread, and who is recognized. */
@NullMarked
package dev.millrace.gateway.connection;

import org.jspecify.annotations.NullMarked;
