/** Events of a workspace, live. */
@NullMarked
package dev.millrace.gateway.event;

import org.jspecify.annotations.NullMarked;
