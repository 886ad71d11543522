/** Messages about events. */
@NullMarked
package dev.millrace.gateway.alert;

import org.jspecify.annotations.NullMarked;
